import { copyText } from './copy';

/** Hands an address to the device's own sharing, or copies it; says what became of it. */
export async function shareLink(title: string, url: string): Promise<string> {
  if (typeof navigator.share === 'function' && matchMedia('(pointer: coarse)').matches) {
    try {
      await navigator.share({ title, url });
      return '';
    } catch (error) {
      if (error instanceof DOMException && error.name === 'AbortError') return '';
    }
  }
  return (await copyText(url)) ? 'The link is copied.' : `This browser does not allow copying here. The link: ${url}`;
}
