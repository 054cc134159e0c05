import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Size } from '../../pieces/solid';
import { Ground } from './placing';
import { readKind } from './acts';
import type { Colour, FieldPiece, Layout } from './wire';

type Row = [id: string, colour: Colour, size: Size, x: number, y: number, heading: number, standing: boolean];
type Trial = [x: number, y: number, heading: number, standing: boolean, verdict: string, ids: string[], early: boolean];

/** The format of tests/vectors/placements.py. */
interface Scene {
  layout: Layout;
  hand: string;
  field: Row[];
  placements: Trial[];
}

function read(file: string | URL): Scene[] {
  return JSON.parse(readFileSync(file, 'utf8')) as Scene[];
}

function piece([id, colour, size, x, y, heading, standing]: Row): FieldPiece {
  const unknown = { points_at: null, valid: null, iced: null, redundant: null };
  return { id, colour, size, x, y, heading: heading / 10, standing, ...unknown };
}

/** The number of placements, and those that the browser and the server judge differently. */
function differences(scenes: Scene[]): { count: number; wrong: unknown[] } {
  let count = 0;
  const wrong: unknown[] = [];
  for (const { layout, hand, field, placements } of scenes) {
    const ground = new Ground(layout, field.map(piece));
    for (const [x, y, heading, standing, verdict, ids, early] of placements) {
      const judged = ground.judge(readKind(hand), { x, y, heading, standing });
      const named = verdict === 'crash' || verdict === 'too-early' ? [] : judged.touched.map(({ id }) => id);
      const here = JSON.stringify([judged.outcome, named, judged.early]);
      count += 1;
      if (here !== JSON.stringify([verdict, ids, early])) wrong.push([here, layout, hand, x, y, heading, verdict, ids]);
    }
  }
  return { count, wrong };
}

describe('the browser agrees with the server', () => {
  it('on placements under all options, half of them at the boundary of two verdicts', () => {
    const { count, wrong } = differences(read(new URL('../../../../tests/vectors/placements.json', import.meta.url)));
    expect(wrong).toEqual([]);
    expect(count).toBeGreaterThan(2000);
  });

  it('on shifted pieces, which overlap nothing and are on the field', () => {
    let shifted = 0;
    for (const { layout, hand, field, placements } of read(
      new URL('../../../../tests/vectors/placements.json', import.meta.url),
    )) {
      const ground = new Ground(layout, field.map(piece));
      for (const [x, y, heading, standing] of placements) {
        const pose = { x, y, heading, standing };
        const settled = ground.settle(readKind(hand), pose, 150);
        if (settled === pose) continue;
        shifted += 1;
        expect(Math.hypot(settled.x - x, settled.y - y)).toBeLessThanOrEqual(150);
        expect(['fits', 'too-early']).toContain(
          ground.judge(readKind(hand), settled).outcome.replace(/^(points-at|out-of).*/, 'fits'),
        );
      }
    }
    expect(shifted).toBeGreaterThan(200);
  });

  // `python -m tests.vectors.placements --more 100000 FILE` writes such a file.
  const more = process.env['ICETABLE_PLACEMENTS'];
  it.runIf(more)('on a large number of placements', { timeout: 600_000 }, () => {
    const { count, wrong } = differences(read(more!));
    console.log(`${count} placements, ${wrong.length} differences`);
    expect(wrong).toEqual([]);
  });
});
