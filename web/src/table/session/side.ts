/** The panel beside the board, where there is room for one. */
export type Side = 'moves' | 'analysis' | 'review' | 'chat';

let next: Side = 'moves';

/** Opens the page of the next table with this panel. */
export function openWith(side: Side): void {
  next = side;
}

/** The panel that a page opens with; the following page has the default again. */
export function firstSide(): Side {
  const side = next;
  next = 'moves';
  return side;
}
