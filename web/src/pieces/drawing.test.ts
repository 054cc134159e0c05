import { describe, expect, it } from 'vitest';
import { DEFAULT_POSE, draw, drawFaces, onFacet } from './drawing';
import { project, TO_VIEWER, type Look, type Point } from './projection';
import { BASE, dot, HEIGHT, SIZES, slant, solid, tetrahedron, type Pose, type Vec3 } from './solid';

const POSES: Pose[] = [0, 17, 45, 90, 200.5, 315].flatMap((heading) => [
  { upright: true, heading },
  { upright: false, heading },
]);
const LOOKS: Look[] = ['iso', 'top'];
const CASES = SIZES.flatMap((size) => POSES.flatMap((pose) => LOOKS.map((look) => ({ size, pose, look }))));

/** Twice the area, positive where the corners run clockwise on the screen. */
function area(points: Point[]): number {
  return points.reduce((sum, a, i) => {
    const b = points[(i + 1) % points.length]!;
    return sum + a.x * b.y - b.x * a.y;
  }, 0);
}

function corners(faces: { corners: Vec3[] }[]): Vec3[] {
  return faces.flatMap((face) => face.corners);
}

describe('solid', () => {
  it.each(SIZES)('has the dimensions of a %s pyramid', (size) => {
    const upright = corners(solid(size, { upright: true, heading: 0 }));
    expect(Math.max(...upright.map(({ z }) => z))).toBe(HEIGHT[size]);
    expect(Math.max(...upright.map(({ x }) => x))).toBe(BASE[size] / 2);
    const lying = corners(solid(size, { upright: false, heading: 0 }));
    expect(Math.max(...lying.map(({ x }) => x))).toBeCloseTo(slant(size) / 2);
    expect(Math.min(...lying.map(({ x }) => x))).toBeCloseTo(-slant(size) / 2);
    expect(Math.min(...lying.map(({ z }) => z))).toBeCloseTo(0);
  });

  it('has the same edges and heights when it lies down', () => {
    for (const size of SIZES) {
      const [, ...sides] = solid(size, { upright: false, heading: 33 });
      for (const {
        corners: [a, b, tip],
      } of sides) {
        const length = (p: Vec3, q: Vec3) => Math.hypot(p.x - q.x, p.y - q.y, p.z - q.z);
        expect(length(a!, b!)).toBeCloseTo(BASE[size]);
        expect(length(a!, tip!)).toBeCloseTo(Math.hypot(slant(size), BASE[size] / 2));
      }
    }
  });

  it('lies on one side, its tip where it is heading', () => {
    const faces = solid('L', { upright: false, heading: 90 });
    expect(faces.filter(({ normal }) => normal.z < -0.999)).toHaveLength(1);
    const tip = faces[1]!.corners[2]!;
    expect(tip.x).toBeCloseTo(0);
    expect(tip.y).toBeCloseTo(slant('L') / 2);
    expect(tip.z).toBeCloseTo(0);
  });

  it('has normals that point outwards', () => {
    for (const { size, pose } of CASES) {
      const faces = solid(size, pose);
      const all = corners(faces);
      const middle = { x: mean(all, 'x'), y: mean(all, 'y'), z: mean(all, 'z') };
      for (const {
        corners: [a],
        normal,
      } of faces) {
        const out = { x: a!.x - middle.x, y: a!.y - middle.y, z: a!.z - middle.z };
        expect(dot(out, normal)).toBeGreaterThan(0);
      }
    }
  });
});

function mean(points: Vec3[], axis: keyof Vec3): number {
  return points.reduce((sum, point) => sum + point[axis], 0) / points.length;
}

describe('draw', () => {
  it('marks facets as near if they face the viewer in the picture', () => {
    for (const { size, pose, look } of CASES) {
      for (const { points, near } of draw(size, pose, look).facets) {
        if (near) expect(area(points)).toBeLessThan(0);
        else expect(area(points)).toBeGreaterThan(-1e-6);
      }
    }
  });

  it('covers its outline exactly once with near facets, and once with far ones', () => {
    for (const { size, pose, look } of CASES) {
      const { facets } = draw(size, pose, look);
      const covered = (near: boolean) =>
        facets.filter((facet) => facet.near === near).reduce((sum, { points }) => sum + Math.abs(area(points)), 0);
      expect(covered(true)).toBeCloseTo(covered(false));
      expect(covered(true)).toBeGreaterThan(0);
    }
  });

  it('paints far facets first', () => {
    for (const { size, pose, look } of CASES) {
      const near = draw(size, pose, look).facets.map((facet) => Number(facet.near));
      expect(near).toEqual([...near].sort());
    }
  });

  it('has each of the eight edges once; the rim closes', () => {
    for (const { size, pose, look } of CASES) {
      const { edges } = draw(size, pose, look);
      expect(edges).toHaveLength(8);
      const ends = new Map<string, number>();
      for (const { from, to, kind } of edges) {
        if (kind !== 'rim') continue;
        for (const { x, y } of [from, to]) {
          const key = `${Math.round(x * 100)} ${Math.round(y * 100)}`;
          ends.set(key, (ends.get(key) ?? 0) + 1);
        }
      }
      expect([...ends.values()].every((count) => count === 2)).toBe(true);
    }
  });

  it('is lit from the upper left', () => {
    const iso = draw('L', DEFAULT_POSE.iso, 'iso').facets.filter(({ near }) => near);
    const [left, right] = iso.sort((a, b) => a.foot.x - b.foot.x);
    expect(left!.light).toBeGreaterThan(right!.light + 0.2);
    const top = draw('L', DEFAULT_POSE.top, 'top').facets.filter(({ near }) => near);
    const lightAt = (score: (p: Point) => number) => top.sort((a, b) => score(b.foot) - score(a.foot))[0]!.light;
    expect(lightAt(({ x }) => -x)).toBeGreaterThan(lightAt(({ x }) => x));
    expect(lightAt(({ y }) => -y)).toBeGreaterThan(lightAt(({ y }) => y));
  });

  it('puts mark and pips of an upright pyramid on two sides from the side, on one from above', () => {
    const iso = draw('M', DEFAULT_POSE.iso, 'iso');
    expect(iso.mark.foot.x).toBeLessThan(0);
    expect(iso.pips.foot.x).toBeCloseTo(-iso.mark.foot.x);
    const top = draw('M', DEFAULT_POSE.top, 'top');
    expect(top.mark).toEqual(top.pips);
    expect(onFacet(top.mark, 3, 4)).toEqual({ x: 3, y: BASE.M / 2 - 4 });
  });
});

describe('project', () => {
  it('maps the line of sight to a point', () => {
    for (const look of LOOKS) {
      const { x, y } = project(TO_VIEWER[look], look);
      expect(Math.hypot(x, y)).toBeCloseTo(0);
    }
  });
});

describe('a four-sided die', () => {
  const EDGE = 60;

  it('has four equal faces that point outwards', () => {
    const faces = tetrahedron(EDGE, 20);
    expect(faces).toHaveLength(4);
    for (const { corners, normal, open } of faces) {
      expect(open).toBe(false);
      for (const [i, p] of corners.entries()) {
        const q = corners[(i + 1) % 3]!;
        expect(Math.hypot(p.x - q.x, p.y - q.y, p.z - q.z)).toBeCloseTo(EDGE);
      }
      const middle = { x: 0, y: 0, z: (EDGE * Math.sqrt(2 / 3)) / 4 };
      const [a] = corners;
      expect(dot({ x: a!.x - middle.x, y: a!.y - middle.y, z: a!.z - middle.z }, normal)).toBeGreaterThan(0);
    }
  });

  it('turns one side to the viewer, for its number', () => {
    const { mark, edges } = drawFaces(tetrahedron(EDGE, 0), 'iso');
    expect(mark.foot.x).toBeCloseTo(0);
    expect(mark.foot.y).toBeGreaterThan(0);
    expect(edges).toHaveLength(6);
    expect(drawFaces(tetrahedron(EDGE, 0), 'top').facets.filter(({ near }) => near)).toHaveLength(3);
  });
});
