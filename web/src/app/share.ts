import { copyText } from './copy';

/** Offers a file to the device’s own sharing, or saves it; the result in words. */
export async function shareFile(title: string, file: File): Promise<string> {
  if (matchMedia('(pointer: coarse)').matches && navigator.canShare?.({ files: [file] })) {
    try {
      await navigator.share({ title, files: [file] });
      return '';
    } catch (error) {
      if (error instanceof DOMException && error.name === 'AbortError') return '';
    }
  }
  saveFile(file);
  return 'Picture saved.';
}

/** How long a browser has to save a file, in milliseconds. */
const KEPT = 60_000;

export function saveFile(file: File): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT);
}

/** "Who's On The Squad?" as the name of a file: "who-s-on-the-squad.png". */
export function fileName(title: string, ending: string): string {
  const words = title.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return `${words.join('-')}.${ending}`;
}

/** Offers an address to the device's own sharing, or copies it; the result in words. */
export async function shareLink(title: string, url: string): Promise<string> {
  if (typeof navigator.share === 'function' && matchMedia('(pointer: coarse)').matches) {
    try {
      await navigator.share({ title, url });
      return '';
    } catch (error) {
      if (error instanceof DOMException && error.name === 'AbortError') return '';
    }
  }
  return (await copyText(url)) ? 'Link copied.' : `This browser can’t copy here. The link: ${url}`;
}
