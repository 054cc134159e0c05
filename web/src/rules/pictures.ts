/** Puts pictures in place of the drawings of letters that the rules have for terminals. */

import { mount, unmount } from 'svelte';
import { list } from '../app/words';
import { readDrawing } from './drawing';
import { readExample } from './field';
import Picture from './Picture.svelte';

/** How to read letters is of no use beside pictures. */
const LETTERS = /^In the drawings/;

/** Returns how to take the pictures away again. */
export function paint(article: HTMLElement, game: string, colours: string[]): () => void {
  const pictures = [...article.querySelectorAll<HTMLElement>('pre')].flatMap((block) => {
    const text = block.textContent;
    const shows = readExample(text, colours) ?? readDrawing(game, text, colours);
    if (!shows) return [];
    const target = document.createElement('div');
    block.replaceWith(target);
    return [mount(Picture, { target, props: { shows } })];
  });
  if (pictures.length > 0) explain(article, colours);
  return () => pictures.forEach((picture) => void unmount(picture));
}

/** In place of what the letters mean: whose the colours are. */
function explain(article: HTMLElement, colours: string[]): void {
  for (const letters of article.querySelectorAll('p')) {
    if (!LETTERS.test(letters.textContent)) continue;
    if (letters.nextElementSibling?.tagName === 'UL') letters.nextElementSibling.remove();
    const seats = colours.map((colour, seat) => `${seat === 0 ? 'seat 0 is' : seat} ${colour}`);
    letters.textContent = `In the pictures ${list(seats)}. A ring marks where the piece in question may go.`;
  }
}
