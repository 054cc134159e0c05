/** The projection of points over the table to the picture. */

import type { Vec3 } from './solid';

export type Look = 'iso' | 'top';

/** A point of the picture: x to the right, y down, as in SVG. */
export interface Point {
  x: number;
  y: number;
}

/** The elevation of the isometric viewer, steep enough to show the space behind a pyramid. */
const ELEVATION = (48 * Math.PI) / 180;

/** The unit vector from the table to the viewer. */
export const TO_VIEWER: Record<Look, Vec3> = {
  iso: { x: 0, y: -Math.cos(ELEVATION), z: Math.sin(ELEVATION) },
  top: { x: 0, y: 0, z: 1 },
};

/** The factor by which a length along y shrinks: circles on the table become ellipses. */
export function squash(look: Look): number {
  return TO_VIEWER[look].z;
}

/** The factor by which a length along z shrinks. */
export function rise(look: Look): number {
  return -TO_VIEWER[look].y;
}

export function project(p: Vec3, look: Look): Point {
  return { x: p.x, y: -p.y * squash(look) - p.z * rise(look) };
}
