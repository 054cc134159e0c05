/** The news over the field: acts in a few words, gifts by time, and the pieces that players have lost. */

import type { Seat } from '../../wire';
import type { BoardProps } from '../../board/game-view';
import { effect, effects, isYou } from '../../board/words';
import { readKind, readPlace, seatOf } from './acts';
import { giftNews } from './meanwhile';
import { icedScene, isSmall, sceneOf, type Scene } from './scenes';
import { landed } from './under-way';
import type { FieldPiece, Layout, Line, Wire } from './wire';

type Frame = BoardProps<Wire>['frame'];

const NEWS_MS = 5000;
const SMALL_NEWS_MS = 2500;
const MAX_NEWS = 2;
/** How long a lost piece is marked. */
const LOSS_MS = 4000;

export class NewsFeed {
  scenes = $state.raw<Scene[]>([]);
  /** The pieces that were just lost, where they were: crashed, captured, sent back, or one's own that were iced. */
  losses = $state.raw<FieldPiece[]>([]);
  #frame: Frame;
  #pieces: readonly FieldPiece[];
  /** The seat of the last call that found somebody. */
  #caller: number | undefined;
  /** Texts of gifts by time, which the next act repeats. */
  #early: string[] = [];

  constructor(frame: Frame, pieces: readonly FieldPiece[]) {
    this.#frame = frame;
    this.#pieces = pieces;
  }

  /** Shows the news of a frame; returns its line if that is the next one. */
  handle(frame: Frame, pieces: readonly FieldPiece[], layout: Layout, seats: Seat[]): Line | null {
    const [before, last] = [this.#frame, this.#pieces];
    [this.#frame, this.#pieces] = [frame, pieces];
    if (frame.line && frame.seq === before.seq + 1) {
      this.#handleLine(frame.line, last, layout, seats);
      return frame.line;
    }
    if (frame.seq === before.seq) {
      const news = giftNews(before.view, frame.view, layout, seats);
      news.forEach((scene) => this.#show(scene));
      this.#early = [...this.#early, ...news.map(({ text }) => text)];
    }
    return null;
  }

  #handleLine(line: Line, last: readonly FieldPiece[], layout: Layout, seats: Seat[]): void {
    const scene = sceneOf(line, layout, seats, this.#caller);
    if (!scene || !this.#early.includes(scene.text)) this.#show(scene);
    else this.#early = this.#early.filter((text) => text !== scene.text);
    if (effects(line, 'finds').length > 0) this.#caller = line.seat;
    const { in_icehouse } = this.#frame.view;
    const own = seats.find((seat) => isYou(seats, seat) && !in_icehouse.includes(seat.seat))?.seat;
    const iced = named(line, last, 'ices').filter(({ colour }) => seatOf(layout, colour) === own);
    this.#show(icedScene(line, iced, seats));
    this.#mark([...named(line, last, 'captures', 'melts'), ...crashed(line), ...iced]);
    const freed = new Set(named(line, last, 'frees').map(({ id }) => id));
    this.losses = this.losses.filter(({ id }) => !freed.has(id));
  }

  #mark(pieces: FieldPiece[]): void {
    if (pieces.length === 0) return;
    this.losses = [...this.losses, ...pieces];
    setTimeout(() => (this.losses = this.losses.filter((piece) => !pieces.includes(piece))), LOSS_MS);
  }

  /** Makes room for a refusal. */
  clear(): void {
    this.scenes = [];
  }

  #show(scene: Scene | null): void {
    if (!scene) return;
    const others = isSmall(scene) ? this.scenes.filter((other) => !isSmall(other)) : this.scenes;
    this.scenes = [scene, ...others].slice(0, MAX_NEWS);
    const duration = isSmall(scene) ? SMALL_NEWS_MS : NEWS_MS;
    setTimeout(() => (this.scenes = this.scenes.filter((other) => other !== scene)), duration);
  }
}

/** The pieces on the field that effects of these kinds are about. */
function named(
  line: Line,
  pieces: readonly FieldPiece[],
  ...kinds: ('captures' | 'melts' | 'ices' | 'frees')[]
): FieldPiece[] {
  const ids = new Set(kinds.flatMap((kind) => effects(line, kind)).flatMap(({ spaces }): string[] => spaces));
  return pieces.filter(({ id }) => ids.has(id));
}

/** A piece that crashed, where it was let go. */
function crashed(line: Line): FieldPiece[] {
  const [crash, pose] = [effect(line, 'crashes'), readPlace(line.text)];
  return crash && pose ? [landed({ id: '', kind: readKind(crash.value), pose })] : [];
}
