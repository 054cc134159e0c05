/** The news over the field: each new line in a few words, and what time alone has done. */

import type { Seat } from '../../wire';
import type { BoardProps } from '../../board/game-view';
import { effects } from '../../board/words';
import { giftNews } from './meanwhile';
import { isSmall, sceneOf, type Scene } from './scenes';
import type { FieldPiece, Layout, Line, Wire } from './wire';

type Frame = BoardProps<Wire>['frame'];

const NEWS_FOR = 5000;
const SMALL_NEWS_FOR = 2500;
const MAX_NEWS = 2;

export class Told {
  scenes = $state.raw<Scene[]>([]);
  /** The pieces that the last line took off the field. */
  taken = $state.raw<FieldPiece[]>([]);
  #frame: Frame;
  #pieces: readonly FieldPiece[];
  /** The seat of the last call that found somebody. */
  #caller: number | undefined;
  /** What was given by time and told at that moment; the next act tells it again. */
  #early: string[] = [];

  /** What there is already is no news. */
  constructor(frame: Frame, pieces: readonly FieldPiece[]) {
    this.#frame = frame;
    this.#pieces = pieces;
  }

  /** Tells what a frame brings; returns its line where that is the next one. */
  see(frame: Frame, pieces: readonly FieldPiece[], layout: Layout, seats: Seat[]): Line | null {
    const [before, last] = [this.#frame, this.#pieces];
    [this.#frame, this.#pieces] = [frame, pieces];
    if (frame.line && frame.seq === before.seq + 1) {
      this.#seeLine(frame.line, last, layout, seats);
      return frame.line;
    }
    if (frame.seq === before.seq) {
      const news = giftNews(before.view, frame.view, layout, seats);
      news.forEach((scene) => this.#tell(scene));
      this.#early = [...this.#early, ...news.map(({ text }) => text)];
    }
    return null;
  }

  #seeLine(line: Line, last: readonly FieldPiece[], layout: Layout, seats: Seat[]): void {
    const gone = new Set([...effects(line, 'captures'), ...effects(line, 'melts')].flatMap(({ spaces }) => spaces));
    this.taken = last.filter(({ id }) => gone.has(id));
    const scene = sceneOf(line, layout, seats, this.#caller);
    if (!scene || !this.#early.includes(scene.text)) this.#tell(scene);
    else this.#early = this.#early.filter((text) => text !== scene.text);
    if (effects(line, 'finds').length > 0) this.#caller = line.seat;
  }

  #tell(scene: Scene | null): void {
    if (!scene) return;
    const others = isSmall(scene) ? this.scenes.filter((one) => !isSmall(one)) : this.scenes;
    this.scenes = [scene, ...others].slice(0, MAX_NEWS);
    const lasts = isSmall(scene) ? SMALL_NEWS_FOR : NEWS_FOR;
    setTimeout(() => (this.scenes = this.scenes.filter((one) => one !== scene)), lasts);
  }
}
