import { beforeEach, describe, expect, it } from 'vitest';
import { Camera } from './camera.svelte';
import { FIELD, ground, LAYOUT, view } from './fixtures';
import type { Spot } from './geometry';
import { Gestures } from './gestures.svelte';
import { Hand } from './hand.svelte';
import { Proposer } from './proposer';

const BLUE = FIELD[1]!;
/** A piece of the same colour and a lying one: neither can be attacked. */
const OTHERS = [FIELD[0]!, FIELD[2]!];
const FREE: Spot = { x: 7500, y: 6500 };

let acts: string[];
let canAim: boolean;
let hand: Hand;
let gestures: Gestures;
let camera: Camera;

beforeEach(() => {
  acts = [];
  canAim = true;
  const frame = { view: view(), legal: { 0: ['return'] } } as never;
  hand = new Hand({
    props: () => ({ layout: LAYOUT, frame, fault: null, sent: [], onact: (text) => void acts.push(text) }),
    ground: () => ground(),
    seat: () => 0,
    anchor: () => FREE,
    reach: () => 0,
    shake: () => undefined,
    after: (act) => act(),
  });
  camera = new Camera(() => LAYOUT);
  camera.width = 626;
  camera.height = 426;
  const proposer = new Proposer({ hand, camera, ground: () => ground(), own: () => 'red' });
  gestures = new Gestures({
    hand,
    camera,
    ground: () => ground(),
    targets: () => proposer.targets,
    onaim: (target) => canAim && proposer.aimAt(target) !== null,
    onpick: () => undefined,
    onhover: () => undefined,
  });
  gestures.field = { getBoundingClientRect: () => ({ left: 0, top: 0 }) } as HTMLElement;
});

function event(spot: Spot): PointerEvent {
  const { x, y } = camera.pixelAt(spot);
  return { button: 0, isPrimary: true, pointerId: 1, pointerType: 'mouse', clientX: x, clientY: y } as PointerEvent;
}

function move(to: Spot): void {
  gestures.move(event(to));
}

function click(at: Spot, to = at): void {
  move(at);
  gestures.press(event(at));
  move(to);
  gestures.release(event(to));
}

describe('the mouse', () => {
  it('places where it is clicked', () => {
    click(FREE);
    expect(acts).toEqual(['place 7500,6500 stand 90.0']);
  });

  it.each([true, false])('aims at a target by the first click and lets go by the second; standing: %s', (standing) => {
    hand.pose = { ...hand.pose, standing };
    click(BLUE);
    expect(acts).toEqual([]);
    expect(hand.verdict).toMatchObject({ outcome: 'fits', target: { id: 'p2' } });
    const { pose } = hand;
    move(FREE);
    expect(hand.pose).toBe(pose);
    click(BLUE);
    expect(acts).toEqual([expect.stringContaining(`place ${pose.x},${pose.y} point`)]);
  });

  it('aims anew, and says so, if the place has been taken', () => {
    click(BLUE);
    expect(gestures.renewed).toBe(false);
    hand.pose = { ...hand.pose, x: BLUE.x, y: BLUE.y };
    click(BLUE);
    expect(acts).toEqual([]);
    expect(gestures.renewed).toBe(true);
    expect(hand.verdict).toMatchObject({ outcome: 'fits', target: { id: 'p2' } });
  });

  it('also aims if it slips, or if a piece is dragged onto a target', () => {
    click(BLUE, { x: BLUE.x - 800, y: BLUE.y });
    expect(hand.verdict).toMatchObject({ outcome: 'fits', target: { id: 'p2' } });
    gestures.forget();
    gestures.carry(event({ x: 0, y: -200 }), { size: 'L', colour: 'red' });
    move(FREE);
    move(BLUE);
    gestures.release(event(BLUE));
    expect(hand.verdict).toMatchObject({ outcome: 'fits', target: { id: 'p2' } });
    expect(acts).toEqual([]);
  });

  it('places the piece in hand if it is dragged on from its place on the pad', () => {
    gestures.carry(event({ x: 0, y: -200 }), { size: 'L', colour: 'red' });
    move({ x: 7000, y: 6000 });
    move(FREE);
    gestures.release(event(FREE));
    expect(acts).toEqual(['place 7500,6500 stand 90.0']);
  });

  it('moves an aimed piece by a click beside it, and places it by the next', () => {
    click(BLUE);
    click(FREE);
    expect(acts).toEqual([]);
    expect(hand.pose).toMatchObject(FREE);
    click({ x: 7000, y: 6500 });
    expect(acts).toEqual([expect.stringContaining('place 7000,6500')]);
  });

  it('lays a piece close beside a target', () => {
    hand.pose = { ...hand.pose, standing: false, heading: 0 };
    const beside = { x: BLUE.x - 1450, y: BLUE.y };
    click(beside);
    expect(acts).toEqual([`place ${beside.x},${beside.y} point 0.0`]);
  });

  it('treats no other piece as a target', () => {
    for (const piece of OTHERS) click(piece);
    expect(acts).toHaveLength(2);
  });

  it('keeps the piece in hand if a target can’t be attacked', () => {
    canAim = false;
    for (const at of [BLUE, BLUE]) click(at);
    expect(acts).toEqual([]);
  });
});
