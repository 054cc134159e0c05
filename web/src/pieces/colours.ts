/** The colours of the pyramids, with tones in palette.css and, except grey, marks: nothing relies on colour alone. */

export const COLOURS = [
  'red',
  'green',
  'blue',
  'yellow',
  'cyan',
  'orange',
  'purple',
  'white',
  'black',
  'clear',
] as const;

/** The colour of covers, which belong to no seat: they have neither mark nor pips. */
export const GREY = 'grey';

export type Colour = (typeof COLOURS)[number] | typeof GREY;

export function isColour(text: string): text is Colour {
  return (COLOURS as readonly string[]).includes(text);
}

/** A CSS colour: from the deep tone (0) through the body (0.5) to the light tone (1). */
export function tone(colour: Colour, light: number): string {
  const body = `var(--piece-${colour})`;
  const share = Math.min(1, Math.abs(light - 0.5) * 2);
  const end = light < 0.5 ? `var(--piece-${colour}-deep)` : `var(--piece-${colour}-light)`;
  return `color-mix(in oklab, ${body}, ${end} ${Math.round(share * 100)}%)`;
}

/** SVG paths around the origin, about as large as a circle of radius 1. */
export const MARKS: Record<Colour, string> = {
  red: circle(0.9),
  green: polygon([-90, 30, 150], 1.2, 0.18),
  blue: polygon([-90, 0, 90, 180], 1.15),
  yellow: 'M-.8-.8H.8V.8H-.8Z',
  cyan: polygon([0, 60, 120, 180, 240, 300], 1),
  orange: star(),
  purple: 'M-.36-1H.36V-.36H1V.36H.36V1H-.36V.36H-1V-.36H-.36Z',
  white: `${circle(1)}${circle(0.48)}`,
  black: 'M-1-.4H1V.4H-1Z',
  clear: 'M-1-.15 0-1 1-.15V.6L0-.25-1 .6Z',
  grey: '',
};

function circle(r: number): string {
  return `M${-r} 0A${r} ${r} 0 1 1 ${r} 0A${r} ${r} 0 1 1 ${-r} 0Z`;
}

function polygon(angles: number[], r: number, down = 0): string {
  return `M${angles.map((angle) => polar(angle, r, down)).join('L')}Z`;
}

function star(): string {
  const spikes = [0, 1, 2, 3, 4].flatMap((i) => [polar(72 * i - 90, 1.2, 0.06), polar(72 * i - 54, 0.52, 0.06)]);
  return `M${spikes.join('L')}Z`;
}

function polar(angle: number, r: number, down: number): string {
  const a = (angle * Math.PI) / 180;
  return `${(r * Math.cos(a)).toFixed(3)} ${(r * Math.sin(a) + down).toFixed(3)}`;
}
