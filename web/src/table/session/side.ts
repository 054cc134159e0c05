/** What is on show beside the board, and what the page of the next table begins with. */

/** What is on show beside the board, where there is room for one thing. */
export type Side = 'moves' | 'analysis' | 'review' | 'chat';

let wanted: Side = 'moves';

/** The next table begins with this side. */
export function openWith(side: Side): void {
  wanted = side;
}

/** What a page begins with: what was asked for last, for it alone. */
export function firstSide(): Side {
  const side = wanted;
  wanted = 'moves';
  return side;
}
