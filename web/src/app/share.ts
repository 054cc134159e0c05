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
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT);
  return 'Picture saved.';
}

/** How long a browser has to save a file, in milliseconds. */
const KEPT = 60_000;

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
