/** The review of Icehouse between server and browser. Written by tools/wire_types.py from icetable.games.icehouse.review.page. */

/** The scores if the game had ended after an act (IH-33). */
export interface Standing {
  at: number;
  scores: number[];
}

/** An act that changed the scores, and the points that each seat won or lost. */
export interface Change {
  act: number;
  at: number;
  seat: number;
  points: number[];
}

/** An event above the scores. `vain`: a call that found nobody. */
export interface Mark {
  lane: 'iced' | 'taken' | 'calls';
  at: number;
  seat: number;
  vain: boolean;
}

/** A moment of the game in a sentence, with the mark of a seat. */
export interface Item {
  act: number;
  at: number;
  seat: number;
  text: string;
}

/** Moments of one kind. `none`: a sentence if there are none. */
export interface Chapter {
  title: string;
  items: Item[];
  none: string;
}

/** A figure of each seat. `about` explains it to newcomers; `sum`: it is the sum of those above. */
export interface Row {
  name: string;
  about: string;
  figures: string[];
  sum: boolean;
}

/** Figures of all seats. `note`: a sentence below them. */
export interface Table {
  title: string;
  rows: Row[];
  note: string;
}

/** A review. `length`: of play. `bell`: whether the bell ended it. `course`: from before all acts, act by act. */
export interface Review {
  length: number;
  bell: boolean;
  summary: string;
  course: Standing[];
  changes: Change[];
  marks: Mark[];
  chapters: Chapter[];
  tables: Table[];
}
