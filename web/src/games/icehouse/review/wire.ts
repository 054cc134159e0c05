/** The review of Icehouse between server and browser. Written by tools/wire_types.py from icetable.games.icehouse.review.page. */

/** The scores if the game had ended after an act (IH-33). */
export interface Standing {
  /** The time in milliseconds. */
  at: number;
  /** The scores by seat. */
  scores: number[];
}

/** An act that changed the scores. */
export interface Change {
  /** The number of the act. */
  act: number;
  /** The time in milliseconds. */
  at: number;
  /** The seat that acted. */
  seat: number;
  /** The points that each seat won or lost. */
  points: number[];
}

/** An event above the scores. */
export interface Mark {
  /** The row of events that it belongs to. */
  lane: 'iced' | 'taken' | 'calls';
  /** The time in milliseconds. */
  at: number;
  /** The seat whose colour it has. */
  seat: number;
  /** Whether it is a false call. */
  vain: boolean;
}

/** A moment of the game. */
export interface Item {
  /** The number of the act. */
  act: number;
  /** The time in milliseconds. */
  at: number;
  /** The seat whose mark it has. */
  seat: number;
  /** What happened, in a sentence. */
  text: string;
}

/** Moments of one kind. */
export interface Chapter {
  /** What they have in common. */
  title: string;
  /** The moments, in order. */
  items: Item[];
  /** A sentence in place of them, if there are none. */
  none: string;
}

/** A figure of each seat. */
export interface Row {
  /** Its name. */
  name: string;
  /** Its meaning, for newcomers. */
  about: string;
  /** The figure of each seat, as text. */
  figures: string[];
  /** Whether it is the sum of those above. */
  sum: boolean;
}

/** Figures of all seats. */
export interface Table {
  /** What they are about. */
  title: string;
  /** The figures. */
  rows: Row[];
  /** A sentence below them; empty for none. */
  note: string;
}

/** A review. */
export interface Review {
  /** The length of play in milliseconds. */
  length: number;
  /** Whether the bell ended it. */
  bell: boolean;
  /** The result, in a sentence. */
  summary: string;
  /** The scores from before all acts on, act by act. */
  course: Standing[];
  /** The acts that changed the scores. */
  changes: Change[];
  /** The events above the scores. */
  marks: Mark[];
  /** The moments, by kind. */
  chapters: Chapter[];
  /** The figures of the seats. */
  tables: Table[];
}
