/** The sounds as plain data: tones and breaths of noise, each with its start and decay. */

export type Sound =
  | 'land-S'
  | 'land-M'
  | 'land-L'
  | 'capture'
  | 'leap'
  | 'ice'
  | 'roll'
  | 'coin'
  | 'call'
  | 'crash'
  | 'bell'
  | 'reveal'
  | 'turn'
  | 'win'
  | 'lose'
  | 'draw'
  | 'chat';

interface Strike {
  /** Start, attack and decay in seconds. */
  at: number;
  attack: number;
  ring: number;
  /** From 0 to 1. */
  gain: number;
  /** In hertz; for noise, the centre of the filter. */
  pitch: number;
  /** The pitch that it glides to while it rings. */
  to?: number;
}

export interface Tone extends Strike {
  kind: 'tone';
}

/** `q`: the quality of the band-pass filter; the higher, the more like a tone. */
export interface Breath extends Strike {
  kind: 'breath';
  q: number;
}

export type Voice = Tone | Breath;

const DEFAULT_ATTACK_SECONDS = 0.003;
/** Higher partials only sound sharp. */
const MAX_PARTIAL_HERTZ = 12_000;

function tone(pitch: number, at: number, gain: number, ring: number, more: Partial<Tone> = {}): Tone {
  return { kind: 'tone', pitch, at, gain, ring, attack: DEFAULT_ATTACK_SECONDS, ...more };
}

function breath(pitch: number, at: number, gain: number, ring: number, more: Partial<Breath> = {}): Breath {
  return { kind: 'breath', pitch, at, gain, ring, attack: DEFAULT_ATTACK_SECONDS, q: 1, ...more };
}

/** The partials of a small glass solid: pitch, gain and speed of decay relative to the lowest. */
const GLASS = [
  [1, 1, 1],
  [2.32, 0.4, 1.8],
  [4.25, 0.14, 3],
  [6.63, 0.05, 4.5],
] as const;

/** The partials of a church bell, from the hum note up, with the minor third that makes it a bell. */
const BELL = [
  [0.5, 0.55, 0.7],
  [1, 0.8, 1],
  [1.003, 0.3, 1],
  [1.19, 0.6, 1.3],
  [1.5, 0.35, 1.7],
  [2, 0.75, 1.9],
  [2.006, 0.25, 1.9],
  [2.52, 0.2, 3],
  [2.67, 0.16, 3.4],
  [3.01, 0.22, 3.8],
  [4.17, 0.12, 6],
] as const;

function struck(
  partials: readonly (readonly [ratio: number, gain: number, speed: number])[],
  pitch: number,
  at: number,
  gain: number,
  ring: number,
): Tone[] {
  const audible = partials.filter(([ratio]) => pitch * ratio < MAX_PARTIAL_HERTZ);
  return audible.map(([ratio, share, speed]) => tone(pitch * ratio, at, gain * share, ring / speed));
}

function glass(pitch: number, at: number, gain: number, ring: number): Tone[] {
  return struck(GLASS, pitch, at, gain, ring);
}

/** A soft mallet on wood. */
function mallet(pitch: number, at: number, gain: number, ring: number): Tone[] {
  return [
    tone(pitch, at, gain, ring, { attack: 0.006 }),
    tone(pitch * 3.98, at, gain * 0.16, ring / 4, { attack: 0.004 }),
  ];
}

/** Glass set down on a board: the touch, the body of the board, the ring of the glass. */
function landing(pitch: number, weight: number): Voice[] {
  return [
    breath(3400 - 500 * weight, 0, 0.24, 0.018, { q: 1.2, attack: 0.001 }),
    tone(150 - 18 * weight, 0, 0.16 + 0.06 * weight, 0.07, { to: 90 }),
    ...glass(pitch, 0.002, 0.21, 0.16 + 0.05 * weight),
  ];
}

/** When a rolling die touches the wood, in seconds: faster at first. */
const TUMBLE = [0, 0.09, 0.16, 0.27, 0.35, 0.47, 0.62, 0.8, 1.02, 1.21];

function roll(): Voice[] {
  return TUMBLE.flatMap((at, i) => {
    const gain = 0.3 - 0.016 * i;
    const pitch = 1500 + 340 * Math.sin(i * 2.4);
    return [breath(pitch * 1.6, at, gain, 0.016, { q: 2.2, attack: 0.001 }), tone(pitch * 0.55, at, gain * 0.4, 0.045)];
  });
}

/** Start and pitch of each shard. */
const SHARDS = [
  [0, 2093],
  [0.02, 3322],
  [0.05, 2637],
  [0.09, 4186],
  [0.13, 3520],
  [0.19, 4699],
  [0.27, 3951],
  [0.36, 5274],
] as const;

function crash(): Voice[] {
  return [
    tone(96, 0, 0.34, 0.22, { to: 52 }),
    breath(1900, 0, 0.26, 0.09, { q: 0.6 }),
    breath(4200, 0.01, 0.18, 0.34, { q: 0.7 }),
    ...SHARDS.flatMap(([at, pitch], i) => glass(pitch, at, 0.075 - 0.005 * i, 0.24)),
  ];
}

export const RECIPES: Readonly<Record<Sound, readonly Voice[]>> = {
  'land-S': landing(1568, 0),
  'land-M': landing(1175, 1),
  'land-L': landing(880, 2),
  capture: [
    breath(1300, 0, 0.1, 0.26, { to: 420, attack: 0.03, q: 1.4 }),
    ...glass(988, 0.02, 0.13, 0.26),
    ...glass(659, 0.13, 0.14, 0.42),
  ],
  leap: [
    breath(480, 0, 0.15, 0.3, { to: 1500, attack: 0.11, q: 1.6 }),
    tone(294, 0, 0.07, 0.26, { to: 494, attack: 0.08 }),
    ...glass(1319, 0.36, 0.06, 0.2),
  ],
  ice: [
    breath(6200, 0, 0.03, 0.4, { attack: 0.06, q: 2 }),
    ...glass(2349, 0, 0.045, 0.5),
    ...glass(2794, 0.06, 0.04, 0.5),
    ...glass(3520, 0.13, 0.035, 0.6),
  ],
  roll: roll(),
  coin: [
    breath(5200, 0, 0.06, 0.02, { q: 2 }),
    ...[2489, 4013, 6180].flatMap((pitch, i) => [
      tone(pitch, 0, 0.09 / (i + 1), 0.55 / (i + 1)),
      tone(pitch * 1.004, 0.09, 0.07 / (i + 1), 0.7 / (i + 1)),
    ]),
  ],
  call: [...glass(587, 0, 0.12, 0.9), ...glass(880, 0.09, 0.12, 0.9), ...glass(1175, 0.18, 0.14, 1.2)],
  crash: crash(),
  bell: [breath(2600, 0, 0.1, 0.03, { q: 0.8 }), ...struck(BELL, 523.25, 0, 0.15, 3.4)],
  reveal: [...mallet(659, 0, 0.24, 0.3), ...glass(1976, 0.01, 0.025, 0.3)],
  turn: [...mallet(659, 0, 0.14, 0.5), ...mallet(988, 0.15, 0.14, 0.8)],
  win: [
    ...mallet(523, 0, 0.13, 0.6),
    ...mallet(659, 0.13, 0.13, 0.6),
    ...mallet(784, 0.26, 0.13, 0.7),
    ...mallet(1047, 0.42, 0.13, 1.3),
    ...glass(2093, 0.42, 0.03, 0.9),
  ],
  lose: [...mallet(440, 0, 0.13, 0.6), ...mallet(349, 0.2, 0.13, 0.7), ...mallet(294, 0.42, 0.13, 1.2)],
  draw: [...mallet(523, 0, 0.13, 0.5), ...mallet(587, 0.18, 0.13, 0.5), ...mallet(523, 0.36, 0.13, 0.9)],
  chat: [
    tone(740, 0, 0.19, 0.1, { to: 880, attack: 0.008 }),
    tone(1109, 0.08, 0.14, 0.16, { to: 1175, attack: 0.008 }),
  ],
};

/** The length of a sound in seconds. */
export function lengthOf(sound: Sound): number {
  return Math.max(...RECIPES[sound].map(({ at, attack, ring }) => at + attack + ring));
}
