import { describe as group, expect, it } from 'vitest';
import { line as lineOf, people, VIEW as ANY } from '../../app/fixtures';
import { positionAt } from '../../board/flight';
import { sortPlacements, type Hand } from '../../board/hand';
import {
  actText,
  describe,
  given,
  landmarks,
  pickWords,
  reason,
  say,
  soloWords,
  squadRole,
  squareWords,
  supplyWords,
  touched,
} from './game';
import { planScene } from './scene';
import type { AnyEffect, Layout, Line, View } from './wire';

const SQUARES = [0, 1, 2, 3].flatMap((y) =>
  [0, 1, 2, 3].map((x) => ({ name: `${'abcd'[x]}${y + 1}`, x, y, captains: x % 3 === 0 && y % 3 === 0 })),
);
const LAYOUT: Layout = { players: 2, board: 4, squares: SQUARES, best_alone: 12 };
const SEATS = people('Ann', 'Blue');
const VIEW: View = {
  ...ANY,
  scores: [6, 2],
  friends: { b1: '0F', d3: '1J' },
  captains: [
    { seat: 0, square: 'c1', face: 1 },
    { seat: 1, square: 'd2', face: 2 },
  ],
  end: null,
  supply: [
    { F: 1, S: 2, J: 0 },
    { F: 0, S: 0, J: 0 },
  ],
  turn: 4,
};
const LEGAL = sortPlacements(['F@a1', 'S@c2', 'S@d1']);
const line = lineOf<AnyEffect>;

function hand(picked: string | null): Hand {
  return { legal: LEGAL, picked };
}

/** c2: two captains leap, and two friends fall, one of them the new one. */
const STUNTS = line('S@c2', [
  { kind: 'formation', spaces: ['c2'], value: '0S' },
  { kind: 'stunt', spaces: ['c1', 'c2', 'c3'], value: '0C2' },
  { kind: 'stunt', spaces: ['d2', 'c2', 'b2'], value: '1C3' },
  { kind: 'fall', spaces: ['b1'], value: '0F' },
  { kind: 'fall', spaces: ['c2'], value: '0S' },
]);

it('stunts and falls are landmarks, a friend that only arrives is not', () => {
  const arrival = line('F@a1', [{ kind: 'formation', spaces: ['a1'], value: '1F' }], 1);
  const names: Record<string, string> = landmarks;
  const landmarksIn = ({ effects }: Line) => new Set(effects.flatMap(({ kind }) => names[kind] ?? []));
  expect([...landmarksIn(arrival)]).toEqual([]);
  expect([...landmarksIn(STUNTS)]).toEqual(['stunt', 'fall']);
});

group('acts', () => {
  it('place the picked piece', () => {
    expect(actText('J', 'c3')).toBe('J@c3');
    expect([...LEGAL.get('S')!.keys()]).toEqual(['c2', 'd1']);
    expect(squadRole(hand('S'), VIEW, 'c2')).toBe('free');
    expect(squadRole(hand('S'), VIEW, 'a1')).toBeNull();
    expect(squadRole(hand(null), VIEW, 'c2')).toBeNull();
  });

  it('need no pick to place a captain', () => {
    expect(given(sortPlacements(['C@a1', 'C@d4']))).toBe('C');
    expect(given(LEGAL)).toBeNull();
  });

  it('mark their square', () => {
    expect(touched(STUNTS)).toEqual(['c2']);
    expect(touched(line('C@a1', [{ kind: 'captain', spaces: ['a1'], value: '0C' }]))).toEqual(['a1']);
    expect(touched(null)).toEqual([]);
  });
});

group('words', () => {
  it('describe a square', () => {
    expect(squareWords(hand(null), VIEW, 'b1', SEATS)).toBe('b1: red freshman');
    expect(squareWords(hand(null), VIEW, 'd2', SEATS)).toBe('d2: blue captain, shows 2');
    expect(squareWords(hand('S'), VIEW, 'c2', SEATS)).toBe('c2: empty, legal destination');
  });

  it('describe the picked piece and the supply', () => {
    expect(pickWords(hand('S'))).toBe('Picked a sophomore: 2 destinations.');
    expect(pickWords({ legal: sortPlacements(['C@a1']), picked: 'C' })).toBe('Place your captain: 1 destination.');
    expect(pickWords(hand(null))).toBe('');
    expect(supplyWords({ F: 1, S: 2, J: 0 })).toBe('1 freshman and 2 sophomores');
    expect(supplyWords({ F: 0, S: 0, J: 0 })).toBe('no friends');
  });

  it('describe a formation, stunts and falls in their order', () => {
    expect(say(LAYOUT, STUNTS, SEATS)).toBe(
      "Ann's red sophomore comes to c2; Ann's red captain leaps from c1 over c2 to c3 and shows 2; " +
        "Blue's captain leaps from d2 over c2 to b2 and shows 3; " +
        "Ann's red freshman on b1 and Ann's red sophomore on c2 fall.",
    );
    expect(say(LAYOUT, line('F@a1', [{ kind: 'formation', spaces: ['a1'], value: '1F' }], 1), SEATS)).toBe(
      "Blue's freshman comes to a1.",
    );
    expect(say(LAYOUT, line('C@a1', [{ kind: 'captain', spaces: ['a1'], value: '0C' }]), SEATS)).toBe(
      "Ann's red captain begins on a1.",
    );
  });

  it('describe the position', () => {
    expect(describe(LAYOUT, VIEW, SEATS)).toBe(
      "Turn 5: Ann (red) to move. Ann's captain on c1 shows 1. Blue's captain on d2 shows 2. " +
        'Friends on the board: b1: red freshman; d3: blue junior. Ann has 1 freshman and 2 sophomores left. ' +
        'Blue has no friends left. Scores – Ann: 6, Blue: 2.',
    );
    const waiting = { ...VIEW, friends: {}, captains: [VIEW.captains[0]!, { seat: 1, square: null, face: 1 }] };
    expect(describe(LAYOUT, waiting, SEATS)).toContain('Captains are placed: Ann (red) to move.');
    expect(describe(LAYOUT, waiting, SEATS)).toContain("Blue's captain is still to come.");
    expect(describe(LAYOUT, waiting, SEATS)).toContain('No friends are on the board of 4 by 4.');
  });

  it('show a solo player the best known score at the end', () => {
    const alone = { ...VIEW, over: true, scores: [9], winners: [0], to_act: [], captains: [VIEW.captains[0]!] };
    expect(soloWords(LAYOUT, alone)).toBe('Your score is 9. The best known score is 12.');
    expect(soloWords({ ...LAYOUT, best_alone: null }, alone)).toBe('Your score is 9.');
    expect(soloWords(LAYOUT, { ...alone, over: false })).toBe('');
    expect(soloWords(LAYOUT, { ...VIEW, over: true })).toBe('');
    expect(describe(LAYOUT, alone, SEATS.slice(0, 1))).toMatch(/^The game is over\..*The best known score is 12\.$/);
  });
});

group('planScene', () => {
  const scene = planScene(VIEW, STUNTS, SQUARES, SEATS, false)!;

  it('has the friend arrive, then captains leap, then friends fall', () => {
    const newcomer = scene.friends.find(({ square }) => square === 'c2')!;
    const [first, second] = scene.leapers;
    expect([first!.seat, second!.seat]).toEqual([0, 1]);
    expect([first!.faces, second!.faces]).toEqual([
      [1, 2],
      [2, 3],
    ]);
    expect(positionAt(newcomer.legs, 0).z).toBeGreaterThan(0);
    expect(positionAt(newcomer.legs, first!.turns.start).z).toBe(0);
    expect(scene.friends.map(({ square }) => square).sort()).toEqual(['b1', 'c2']);
    for (const { leaves } of scene.friends) expect(leaves!.start).toBeGreaterThanOrEqual(first!.turns.end);
    expect(scene.milliseconds).toBe(newcomer.leaves!.end);
  });

  it('moves captains in a high arc from square to square', () => {
    const { legs, turns } = scene.leapers[0]!;
    expect(positionAt(legs, turns.start - 1)).toMatchObject({ x: 2, y: 0, z: 0 });
    expect(positionAt(legs, (turns.start + turns.end) / 2).z).toBeGreaterThan(90);
    expect(positionAt(legs, turns.end)).toMatchObject({ x: 2, y: 2, z: 0 });
  });

  it('ends when nothing moves any more', () => {
    const plain = line('F@a1', [{ kind: 'formation', spaces: ['a1'], value: '0F' }]);
    expect(planScene(VIEW, plain, SQUARES, SEATS, false)!.milliseconds).toBeLessThan(scene.milliseconds / 2);
    expect(planScene(VIEW, plain, SQUARES, SEATS, true)).toBeNull();
    const carried = planScene(VIEW, STUNTS, SQUARES, SEATS, true)!;
    expect(carried.milliseconds).toBeLessThan(scene.milliseconds);
    expect(positionAt(carried.friends[0]!.legs, 0).z).toBe(0);
  });

  it('shows the arrival of a captain', () => {
    const captain = line('C@a1', [{ kind: 'captain', spaces: ['a1'], value: '0C' }]);
    expect(planScene(VIEW, captain, SQUARES, SEATS, false)!.leapers[0]).toMatchObject({ seat: 0, faces: [1, 1] });
    expect(planScene(VIEW, captain, SQUARES, SEATS, true)).toBeNull();
    expect(planScene(VIEW, line('x', []), SQUARES, SEATS, false)).toBeNull();
  });
});

group('the reason of the end', () => {
  const end = { ...VIEW, over: true, ended_by: 'SQ-13', winners: [0] };

  it('is the player who has placed the last friend', () => {
    expect(reason(LAYOUT, end, SEATS)).toMatch(/^Blue’s last friend is on the board\./);
  });

  it('shows the sum of every score', () => {
    const friends = { a1: '0J', b1: '0F', b2: '0J', d3: '1J' };
    const captains = [
      { seat: 0, square: 'c1', face: 3 },
      { seat: 1, square: 'd2', face: 2 },
    ];
    expect(reason(LAYOUT, { ...end, friends, captains, scores: [13, 7] }, SEATS)).toBe(
      'Blue’s last friend is on the board. 5 for each junior, and the captain’s number: ' +
        'You 2\u00a0×\u00a05\u00a0+\u00a03\u00a0=\u00a013, Blue 1\u00a0×\u00a05\u00a0+\u00a02\u00a0=\u00a07.',
    );
  });

  it('is the player who can place none, and the tie-break', () => {
    const supply = [0, 1].map(() => ({ F: 1, S: 0, J: 1 }));
    const stuck = { ...end, supply, turn: 6, scores: [1, 1] };
    expect(reason(LAYOUT, stuck, SEATS)).toMatch(
      /^You have no place for another friend\. With equal points, you have more friends there\. 5 for /,
    );
    expect(reason(LAYOUT, { ...stuck, turn: 7, winners: [0, 1] }, SEATS)).toMatch(
      /^Blue has no place for another friend\. 5 for /,
    );
  });
});
