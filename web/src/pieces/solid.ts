/** Looney pyramids as solids. Lengths are 64ths of an inch: there every base and height is a whole number. */

export type Size = 'S' | 'M' | 'L';

export const SIZES: readonly Size[] = ['S', 'M', 'L'];
export function isSize(text: string): text is Size {
  return (SIZES as readonly string[]).includes(text);
}

export const BASE: Record<Size, number> = { S: 36, M: 50, L: 64 };
export const HEIGHT: Record<Size, number> = { S: 64, M: 88, L: 112 };
export const PIPS: Record<Size, number> = { S: 1, M: 2, L: 3 };
export const SIZE_WORDS: Record<Size, string> = { S: 'small', M: 'medium', L: 'large' };

/** A point over the table: x to the right, y away from the viewer, z up. */
export interface Vec3 {
  x: number;
  y: number;
  z: number;
}

/**
 * Upright, or lying on a side. `heading` is the direction of the tip of a lying pyramid, or of the middle of a side of
 * an upright one, in degrees counter-clockwise from +x.
 */
export interface Pose {
  upright: boolean;
  heading: number;
}

/** A face of a solid, counter-clockwise from outside. A side ends with the tip; a pyramid's base is open. */
export interface Face {
  corners: Vec3[];
  normal: Vec3;
  open: boolean;
}

export function dot(a: Vec3, b: Vec3): number {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

/** From base edge to tip along a side: also the length of a lying pyramid's footprint. */
export function slant(size: Size): number {
  return Math.hypot(HEIGHT[size], BASE[size] / 2);
}

/** The base and the four sides of a pyramid whose footprint is centred on the origin. */
export function solid(size: Size, pose: Pose): Face[] {
  const { base, tip } = pose.upright ? uprightCorners(size) : lyingCorners(size);
  return pointed(base, tip, pose.heading, true);
}

/** A four-sided die on the origin, with one side towards the viewer at heading 0. */
export function tetrahedron(edge: number, heading: number): Face[] {
  const angles = [-150, -30, 90].map((degrees) => (degrees * Math.PI) / 180);
  const r = edge / Math.sqrt(3);
  const base = angles.map((angle) => ({ x: r * Math.cos(angle), y: r * Math.sin(angle), z: 0 }));
  return pointed(base, { x: 0, y: 0, z: edge * Math.sqrt(2 / 3) }, heading, false);
}

/** A base and the sides that rise from it to a tip. */
function pointed(base: Vec3[], tip: Vec3, heading: number, open: boolean): Face[] {
  const turn = rotation(heading);
  const around = base.map(turn);
  const top = turn(tip);
  const sides = around.map((corner, i) => face([corner, around[(i + 1) % around.length]!, top], false));
  return [face([...around].reverse(), open), ...sides];
}

function uprightCorners(size: Size): { base: Vec3[]; tip: Vec3 } {
  const h = BASE[size] / 2;
  const base = [
    { x: -h, y: -h, z: 0 },
    { x: h, y: -h, z: 0 },
    { x: h, y: h, z: 0 },
    { x: -h, y: h, z: 0 },
  ];
  return { base, tip: { x: 0, y: 0, z: HEIGHT[size] } };
}

/** Tip along +x; the base rises from the table at the angle between base and side. */
function lyingCorners(size: Size): { base: Vec3[]; tip: Vec3 } {
  const h = BASE[size] / 2;
  const length = slant(size);
  const back = -length / 2;
  const upper = { x: back + (BASE[size] * h) / length, z: (BASE[size] * HEIGHT[size]) / length };
  const base = [
    { x: back, y: -h, z: 0 },
    { x: back, y: h, z: 0 },
    { ...upper, y: h },
    { ...upper, y: -h },
  ];
  return { base, tip: { x: length / 2, y: 0, z: 0 } };
}

function rotation(heading: number): (p: Vec3) => Vec3 {
  const angle = (heading * Math.PI) / 180;
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return ({ x, y, z }) => ({ x: x * c - y * s, y: x * s + y * c, z });
}

function face(corners: Vec3[], open: boolean): Face {
  const [a, b, c] = corners as [Vec3, Vec3, Vec3];
  const u = { x: b.x - a.x, y: b.y - a.y, z: b.z - a.z };
  const v = { x: c.x - a.x, y: c.y - a.y, z: c.z - a.z };
  const n = { x: u.y * v.z - u.z * v.y, y: u.z * v.x - u.x * v.z, z: u.x * v.y - u.y * v.x };
  const length = Math.hypot(n.x, n.y, n.z);
  return { corners, normal: { x: n.x / length, y: n.y / length, z: n.z / length }, open };
}
