import { describe, expect, it } from 'vitest';
import { effect, line as lineOf } from '../../app/fixtures';
import { VIEW, WRECK } from './fixtures';
import { readPiece } from './pieces';
import { follow, NOTHING } from './trail';
import type { AnyEffect, Wire } from './wire';
import type { FrameOf } from '../../board/game-view';

const line = lineOf<AnyEffect>;
const MOVE = [effect('moves', '0D', 'a1', 'a3')];
const CAPTURE = [effect('moves', '0Q', 'c3', 'c5'), effect('captures', '1Q', 'b4')];

function frame(seq: number, seat: number, effects: AnyEffect[]): FrameOf<Wire> {
  return { seq, line: { ...line('x', effects), seat, seq }, view: VIEW } as FrameOf<Wire>;
}

describe('the trail of a turn', () => {
  it('has what all its acts captured, and the way of the last one that has a way', () => {
    const first = follow(NOTHING, frame(4, 0, CAPTURE), WRECK);
    const second = follow(first, frame(5, 0, []), WRECK);
    expect(second).toMatchObject({
      path: ['c3', 'c5'],
      captured: [{ piece: readPiece('1Q', WRECK.kinds), space: 'b4' }],
    });
    expect(follow(second, frame(6, 0, MOVE), WRECK)).toMatchObject({ path: ['a1', 'a3'], captured: second.captured });
  });

  it('stays while chance acts, until the next act of a player', () => {
    const turn = follow(NOTHING, frame(4, 0, CAPTURE), WRECK);
    const rolled = follow(turn, frame(5, -1, []), WRECK);
    expect(rolled).toMatchObject({ path: ['c3', 'c5'], captured: turn.captured });
    for (const seat of [0, 1]) {
      expect(follow(rolled, frame(6, seat, MOVE), WRECK)).toMatchObject({ path: ['a1', 'a3'], captured: [] });
    }
  });

  it('begins anew with the turn of another, after a leap, and at the start', () => {
    const turn = follow(NOTHING, frame(4, 0, CAPTURE), WRECK);
    expect(follow(turn, frame(5, 1, MOVE), WRECK).captured).toEqual([]);
    expect(follow(turn, frame(9, 0, MOVE), WRECK).captured).toEqual([]);
    expect(follow(turn, frame(9, -1, []), WRECK).path).toEqual([]);
    expect(follow(turn, { ...frame(0, 0, []), line: null }, WRECK)).toEqual({ ...NOTHING, seq: 0 });
  });
});
