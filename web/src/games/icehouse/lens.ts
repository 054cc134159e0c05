/** The magnifier that helps a finger to aim: how large it is, what it shows, and where it is out of the finger's way. */

import type { Camera } from './camera.svelte';
import type { Spot } from './geometry';

/** A picture with a shorter side than this is a small one, in pixels. */
const SMALL = 480;
const LARGEST = 156;
/** Of the shorter side of the picture. */
const PART = 0.42;
const ENLARGES = 2.5;
/** To the edge of the picture, in pixels. */
const MARGIN = 8;

/** A corner of the picture. */
export interface Corner {
  right: boolean;
  bottom: boolean;
}

type Picture = Pick<Camera, 'width' | 'height'>;

const CORNERS: readonly Corner[] = [false, true].flatMap((bottom) => [false, true].map((right) => ({ right, bottom })));

export function isSmall({ width, height }: Picture): boolean {
  return Math.min(width, height) < SMALL;
}

/** Its diameter in pixels. */
export function sizeOf({ width, height }: Picture): number {
  return Math.min(LARGEST, PART * Math.min(width, height));
}

/** The view box of what lies around a place on the field. */
export function boxAround(camera: Camera, spot: Spot): string {
  const [left = 0, top = 0] = camera.box.split(' ').map(Number);
  const { x, y } = camera.pixelAt(spot);
  const side = sizeOf(camera) / ENLARGES / camera.scale;
  return `${left + x / camera.scale - side / 2} ${top + y / camera.scale - side / 2} ${side} ${side}`;
}

/** The corner to be in: the one that it is in, until something to be seen or a finger comes near; then the farthest. */
export function cornerFor(now: Corner, picture: Picture, seen: readonly Spot[]): Corner {
  const size = sizeOf(picture);
  const inset = MARGIN + size / 2;
  const room = ({ right, bottom }: Corner) => {
    const x = right ? picture.width - inset : inset;
    const y = bottom ? picture.height - inset : inset;
    return Math.min(...seen.map((one) => Math.hypot(one.x - x, one.y - y)));
  };
  if (room(now) > size) return now;
  return CORNERS.reduce((best, corner) => (room(corner) > room(best) ? corner : best));
}
