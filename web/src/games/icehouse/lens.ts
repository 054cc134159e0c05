/** The magnifier for aiming by finger: its size, what it shows, and a corner out of the finger's way. */

import type { Camera } from './camera.svelte';
import type { Spot } from './geometry';

/** Pictures with a shorter side than this are small. */
const SMALL_PX = 480;
const MAX_DIAMETER_PX = 156;
/** Relative to the shorter side of the picture. */
const MAX_PART = 0.42;
const MAGNIFICATION = 2.5;
const MARGIN_PX = 8;

export interface Corner {
  right: boolean;
  bottom: boolean;
}

type Picture = Pick<Camera, 'width' | 'height'>;

const CORNERS: readonly Corner[] = [false, true].flatMap((bottom) => [false, true].map((right) => ({ right, bottom })));

export function isSmall({ width, height }: Picture): boolean {
  return Math.min(width, height) < SMALL_PX;
}

/** Its diameter in pixels. */
export function sizeOf({ width, height }: Picture): number {
  return Math.min(MAX_DIAMETER_PX, MAX_PART * Math.min(width, height));
}

/** The view box around a spot on the field. */
export function boxAround(camera: Camera, spot: Spot): string {
  const [left = 0, top = 0] = camera.box.split(' ').map(Number);
  const { x, y } = camera.pixelAt(spot);
  const side = sizeOf(camera) / MAGNIFICATION / camera.scale;
  return `${left + x / camera.scale - side / 2} ${top + y / camera.scale - side / 2} ${side} ${side}`;
}

/** The current corner, unless it is too close to one of the points; then the farthest one. */
export function cornerFor(current: Corner, picture: Picture, points: readonly Spot[]): Corner {
  const size = sizeOf(picture);
  const inset = MARGIN_PX + size / 2;
  const room = ({ right, bottom }: Corner) => {
    const x = right ? picture.width - inset : inset;
    const y = bottom ? picture.height - inset : inset;
    return Math.min(...points.map((point) => Math.hypot(point.x - x, point.y - y)));
  };
  if (room(current) > size) return current;
  return CORNERS.reduce((best, corner) => (room(corner) > room(best) ? corner : best));
}
