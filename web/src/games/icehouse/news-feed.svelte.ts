/** The news over the field: acts in a few words, and gifts by time. */

import type { Seat } from '../../wire';
import type { BoardProps } from '../../board/game-view';
import { effects } from '../../board/words';
import { giftNews } from './meanwhile';
import { isSmall, sceneOf, type Scene } from './scenes';
import type { FieldPiece, Layout, Line, Wire } from './wire';

type Frame = BoardProps<Wire>['frame'];

const NEWS_MS = 5000;
const SMALL_NEWS_MS = 2500;
const MAX_NEWS = 2;

export class NewsFeed {
  scenes = $state.raw<Scene[]>([]);
  /** The pieces that the last act removed from the field. */
  taken = $state.raw<FieldPiece[]>([]);
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
    const removed = new Set([...effects(line, 'captures'), ...effects(line, 'melts')].flatMap(({ spaces }) => spaces));
    this.taken = last.filter(({ id }) => removed.has(id));
    const scene = sceneOf(line, layout, seats, this.#caller);
    if (!scene || !this.#early.includes(scene.text)) this.#show(scene);
    else this.#early = this.#early.filter((text) => text !== scene.text);
    if (effects(line, 'finds').length > 0) this.#caller = line.seat;
  }

  #show(scene: Scene | null): void {
    if (!scene) return;
    const others = isSmall(scene) ? this.scenes.filter((other) => !isSmall(other)) : this.scenes;
    this.scenes = [scene, ...others].slice(0, MAX_NEWS);
    const duration = isSmall(scene) ? SMALL_NEWS_MS : NEWS_MS;
    setTimeout(() => (this.scenes = this.scenes.filter((other) => other !== scene)), duration);
  }
}
