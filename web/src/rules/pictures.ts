/** Replaces the text drawings in the rules, which are for terminals, by pictures. */

import { mount, unmount } from 'svelte';
import { list, ORDINALS } from '../app/words';
import { parseDrawing } from './drawing';
import { parseExample } from './field';
import Picture from './Picture.svelte';

/** The start of the legend for text drawings. */
const LEGEND = /^In the drawings/;

/** Returns a function that unmounts the pictures. */
export function mountPictures(article: HTMLElement, game: string, colours: string[]): () => void {
  const pictures = [...article.querySelectorAll<HTMLElement>('pre')].flatMap((block) => {
    const text = block.textContent;
    const content = parseExample(text, colours) ?? parseDrawing(game, text, colours);
    if (!content) return [];
    const target = document.createElement('div');
    block.replaceWith(target);
    return [mount(Picture, { target, props: { content } })];
  });
  if (pictures.length > 0) replaceLegend(article, colours);
  return () => pictures.forEach((picture) => void unmount(picture));
}

/** Replaces the legend: pictures need only the colours of the seats. */
function replaceLegend(article: HTMLElement, colours: string[]): void {
  for (const legend of article.querySelectorAll('p')) {
    if (!LEGEND.test(legend.textContent)) continue;
    if (legend.nextElementSibling?.tagName === 'UL') legend.nextElementSibling.remove();
    const seats = colours.map((colour, seat) => `the ${ORDINALS[seat]} ${seat === 0 ? 'seat is ' : ''}${colour}`);
    legend.textContent = `In the pictures ${list(seats)}. A ring marks where the piece in question may go.`;
  }
}
