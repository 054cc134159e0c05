/** Playing by keys: taking pieces, proposed targets and places, fine moves, and announcements. */

import { keyName } from '../../app/keys';
import { SIZE_WORDS, SIZES, type Size } from '../../pieces/solid';
import type { Camera } from './camera.svelte';
import type { Hand } from './hand.svelte';
import type { Ground } from './placing';
import { cycle, type Proposer, type Shown } from './proposer';
import { ICEHOUSE, type Kind, kindsOn, preyOf } from './acts';
import type { Colour, FieldPiece, View } from './wire';
import { fieldWords, idWords, kindWords, lyingWords, pieceWords, seatWords, verdictWords, type Reader } from './words';

interface Table {
  hand: Hand;
  camera: Camera;
  proposer: Proposer;
  ground: () => Ground;
  view: () => View;
  reader: () => Reader;
  /** Asks for the colour of a meltdown. */
  onmeltdown: () => void;
  /** Shows why a key does nothing. */
  onwhy: (why: string) => void;
}

/** In thousandths of an inch and tenths of a degree; with Shift a tenth of that. */
const STEP = 100;
const TURN = 50;
const ARROWS: Record<string, [right: number, up: number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

export class Keyboard {
  spoken = $state('');
  /** The id of the piece that the cursor is on. */
  cursor = $state<string | null>(null);
  #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** Returns whether the key has a meaning. `onField`: no button that takes Enter and Space has the focus. */
  press(event: KeyboardEvent, onField: boolean): boolean {
    const back = event.shiftKey;
    const typed = keyName(event);
    const name = typed.length === 1 ? typed.toLowerCase() : typed;
    const arrow = ARROWS[name];
    if (onField && arrow) return this.#arrow(arrow, back ? STEP / 10 : STEP);
    if (onField && name === 'Enter') return this.#enter();
    if (back && name === 'i') return this.#act(ICEHOUSE) || this.#why(this.#whyNoCall());
    if (back && name === 'm') return this.#meltdown();
    return this.#handKey(name, back, onField) || this.#tableKey(name);
  }

  #handKey(name: string, back: boolean, onField: boolean): boolean {
    const { hand } = this.#table;
    if (!hand.held) return name === 't' && this.#nextPiece(back);
    switch (name) {
      case 'q':
      case 'e':
        hand.turn((name === 'q' ? TURN : -TURN) / (back ? 10 : 1));
        return this.#announce();
      case ' ':
        if (!onField) return false;
        hand.tip();
        return this.#announce();
      case 't':
        return this.nextTarget(back);
      case 'n':
        return this.#next(back);
      case 'Backspace':
      case 'Escape':
        hand.putBack();
        return this.#say('Back on the pad.');
      default:
        return false;
    }
  }

  #tableKey(name: string): boolean {
    const { camera, hand } = this.#table;
    if (['1', '2', '3'].includes(name)) return this.#liftOwn(SIZES[Number(name) - 1]!);
    switch (name) {
      case '4':
        return this.#nextPrisoner();
      case 'c':
        return this.#act(hand.legal.find((text) => preyOf(text))) || this.#why('Nothing can be captured now.');
      case 'w':
        return this.#describe();
      case '+':
        return this.#done(camera.zoomBy(1.25));
      case '-':
        return this.#done(camera.zoomBy(0.8));
      case '0':
        return this.#done(camera.showAll());
      default:
        return false;
    }
  }

  /** Shows and announces a piece that was taken by keys. */
  lifted(kind: Kind): void {
    const { hand } = this.#table;
    if (!hand.held) return;
    hand.show();
    this.#say(`${pieceWords(this.#reader, kind)} in hand; ${this.#verdict()}.`);
  }

  #lift(kind: Kind): boolean {
    const { hand } = this.#table;
    const count = hand.expected?.pad[kind.colour]?.[kind.size] ?? 0;
    if (count === 0) return this.#say(`No ${kindWords(kind)} on your pad.`);
    hand.lift(kind);
    this.lifted(kind);
    return true;
  }

  #liftOwn(size: Size): boolean {
    const own = this.#own;
    return own === null ? this.#say(`No ${SIZE_WORDS[size]} on your pad.`) : this.#lift({ size, colour: own });
  }

  #nextPrisoner(): boolean {
    const kinds = kindsOn(this.#table.hand.expected?.pad ?? {}).filter(({ colour }) => colour !== this.#own);
    const held = this.#table.hand.held;
    const index = kinds.findIndex(({ size, colour }) => size === held?.size && colour === held.colour);
    const kind = kinds[(index + 1) % Math.max(1, kinds.length)];
    return kind ? this.#lift(kind) : this.#say('No prisoners on your pad.');
  }

  #arrow([right, up]: [number, number], step: number): boolean {
    const { hand, camera } = this.#table;
    const { x, y } = camera.offset(right, up);
    if (!hand.held) return this.#towards(x, y);
    hand.moveTo({ x: hand.pose.x + x * step, y: hand.pose.y + y * step });
    camera.follow(hand.pose);
    return this.#announce();
  }

  #enter(): boolean {
    const { hand } = this.#table;
    if (!hand.held) return this.#act(`capture ${this.cursor ?? ''}`) || this.#why(this.#whyNoCapture());
    if (!hand.over) return this.#announce();
    hand.place();
    return true;
  }

  /** Aims at the next target, and announces the result. */
  nextTarget(back = false): boolean {
    const { proposer } = this.#table;
    const shown = proposer.nextTarget(back);
    if (shown) return this.#announceProposal(shown);
    const none = proposer.targets.length === 0;
    return this.#why(none ? 'There is nothing to attack on the field.' : this.#whyNoAttack('anything'));
  }

  /** Aims at a piece; returns whether it can. */
  aimAt(piece: FieldPiece): boolean {
    const shown = this.#table.proposer.aimAt(piece);
    return shown ? this.#announceProposal(shown) : !this.#why(this.#whyNoAttack('this piece'));
  }

  #next(back: boolean): boolean {
    const { hand, proposer } = this.#table;
    const shown = proposer.next(back);
    if (shown) return this.#announceProposal(shown);
    return this.#why(hand.pose.standing ? 'No free place found.' : this.#whyNoAttack('this piece'));
  }

  #announceProposal({ number, total }: Shown): boolean {
    return this.#announce(`${number} of ${total}: `);
  }

  #nextPiece(back: boolean): boolean {
    const { pieces } = this.#table.ground();
    return this.#goTo(cycle(pieces, ({ id }) => id === this.cursor, back));
  }

  /** Goes to the nearest piece in a direction. */
  #towards(right: number, up: number): boolean {
    const { ground, camera } = this.#table;
    const from = ground().pieces.find(({ id }) => id === this.cursor) ?? camera.middle;
    const ahead = ground().pieces.flatMap((piece) => {
      const [x, y] = [piece.x - from.x, piece.y - from.y];
      const [along, aside] = [x * right + y * up, Math.abs(x * up - y * right)];
      return along > 0 && along >= aside && piece.id !== this.cursor ? [{ piece, cost: along + 2 * aside }] : [];
    });
    const nearest = ahead.sort((a, b) => a.cost - b.cost)[0]?.piece;
    return this.#goTo(nearest);
  }

  #goTo(piece: FieldPiece | undefined): boolean {
    if (!piece) return true;
    this.cursor = piece.id;
    this.#table.camera.follow(piece);
    return this.#say(this.#pieceSentence(piece));
  }

  #pieceSentence(piece: FieldPiece): string {
    const { pieces } = this.#table.ground();
    const reader = this.#reader;
    const whose = seatWords(reader, piece.colour);
    const words = piece.standing ? fieldWords(reader, piece, pieces) : lyingWords(reader, piece, pieces);
    const prey = this.#table.hand.legal.includes(`capture ${piece.id}`) ? ' Enter captures it.' : '';
    return `${whose}: ${words}.${prey}`;
  }

  #describe(): boolean {
    const { hand, ground } = this.#table;
    if (hand.held) return this.#announce();
    const piece = ground().pieces.find(({ id }) => id === this.cursor);
    return this.#say(piece ? this.#pieceSentence(piece) : 'Nothing in hand.');
  }

  /** Announces the pose of the ghost and the verdict on it. */
  #announce(before = ''): boolean {
    const { hand } = this.#table;
    if (!hand.over) hand.moveTo(hand.pose);
    const { x, y, heading, standing } = hand.spot;
    const stance = standing ? 'standing' : `lying, tip at ${heading / 10} degrees`;
    return this.#say(`${before}${this.#verdict()}; ${(x / 1000).toFixed(2)}, ${(y / 1000).toFixed(2)}, ${stance}.`);
  }

  #verdict(): string {
    const { held, verdict, ground } = this.#table.hand;
    if (!held || !verdict) return 'not over the field';
    const touched = verdict.touched.flatMap(({ id }) => (id ? idWords(id) : []));
    return [verdictWords(this.#reader, held, verdict, ground), ...touched].join(', ');
  }

  get #reader(): Reader {
    return this.#table.reader();
  }

  get #own(): Colour | null {
    const { seat, layout } = this.#reader;
    return seat === null ? null : layout.colours[seat]!;
  }

  #meltdown(): boolean {
    if (this.#table.hand.legal.some((text) => text.startsWith('meltdown '))) this.#table.onmeltdown();
    else this.#why(this.#whyNoCall());
    return true;
  }

  /** Returns whether the act is made; one that is under way already is not made again. */
  #act(text: string | undefined): boolean {
    const { hand } = this.#table;
    if (text === undefined || !hand.legal.includes(text)) return false;
    return hand.act(text) || this.#why('Sent already: the server has not answered yet.');
  }

  #whyNoCall(): string {
    const { view, hand } = this.#table;
    const { seat } = this.#reader;
    if (seat === null) return 'You are watching: only players call.';
    if (view().over) return 'The game is over.';
    if (`${seat}` in view().owed) return 'First give the piece that you owe.';
    if (hand.may) return 'Calls count from the start of play.';
    return 'You can’t call now.';
  }

  #whyNoAttack(target: string): string {
    const { hand, ground } = this.#table;
    if (hand.held && ground().layout.prevents && ground().isEarly(hand.held.colour)) {
      return 'Too early to attack: first two pieces of this colour have to stand.';
    }
    return `There is no room to attack ${target}: choose another piece, or stand yours.`;
  }

  #whyNoCapture(): string {
    if (this.#reader.seat === null) return 'You are watching.';
    if (this.cursor === null) return 'Nothing is in your hand: take a piece with 1, 2 or 3.';
    return 'That piece can’t be captured: only an attacker that glows can.';
  }

  /** Shows and says why a key does nothing. */
  #why(text: string): boolean {
    this.#table.onwhy(text);
    return true;
  }

  #say(text: string): boolean {
    this.spoken = text;
    return true;
  }

  #done(_: void): boolean {
    return true;
  }
}
