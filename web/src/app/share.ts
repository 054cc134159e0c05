import { copyText } from './copy';

/** Shares a file through the device, or saves it; returns a message about the result. */
export async function shareFile(title: string, file: File): Promise<string> {
  const files = [file];
  if (isCoarse() && navigator.canShare?.({ files }) && (await shareOnDevice({ title, files }))) return '';
  saveFile(file);
  return 'Picture saved.';
}

/** Time for the browser to save a file. */
const SAVE_MS = 60_000;

export function saveFile(file: File): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), SAVE_MS);
}

/** "Who's On The Squad?" as the name of a file: "who-s-on-the-squad.png". */
export function fileName(title: string, ending: string): string {
  const words = title.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return `${words.join('-')}.${ending}`;
}

/** Shares a link through the device, or copies it; returns a message about the result. */
export async function shareLink(title: string, url: string): Promise<string> {
  if (typeof navigator.share === 'function' && isCoarse() && (await shareOnDevice({ title, url }))) return '';
  return (await copyText(url)) ? 'Link copied.' : `This browser can’t copy here. The link: ${url}`;
}

function isCoarse(): boolean {
  return matchMedia('(pointer: coarse)').matches;
}

/** Whether the user has shared something, or decided not to. */
async function shareOnDevice(data: ShareData): Promise<boolean> {
  try {
    await navigator.share(data);
    return true;
  } catch (error) {
    return error instanceof DOMException && error.name === 'AbortError';
  }
}
