import { copyText } from './copy';

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
