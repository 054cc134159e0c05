/** The texts of effects, prompts and reasons, which come with the layout and the view as `icetable.workshop.look` says. */

import { list } from '../../app/words';
import { capital, everyone, pointWords, verb, who, whose } from '../../board/words';
import { isColour } from '../../pieces/colours';
import type { Seat } from '../../wire';
import { headingWords, reader, rest, SEALED, SECRET, spoken } from './acts';
import {
  briefWords,
  kindOf,
  kindWords,
  liesWords,
  ownedWords,
  ownerOf,
  readPiece,
  shortWords,
  type Piece,
} from './pieces';
import type { AnyEffect, EffectLook, Face, Layout, Line, Motion, Space } from './wire';

/** Replaces the words in angle brackets of a text. */
function fill(text: string, wordOf: (name: string, at: number) => string): string {
  return text.replaceAll(/<([^<>]+)>/g, (_, name: string, at: number) => wordOf(name, at));
}

/** A prompt or a reason for its reader. Formulas are not broken into lines. */
export function filled(text: string, seats: Seat[]): string {
  const words = fill(text, (word, at) => {
    const [name, ...numbers] = word.split(' ');
    const those = numbers.map(Number);
    if (name === 'your') return seats[those[0]!]?.mine ? 'your ' : '';
    if (name !== 'who' && name !== 'whose') return verb(seats, those, name!);
    const found = name === 'who' ? inside(everyone(seats, those)) : whose(seats, those[0]!);
    return /(?:^|[.!?] +)$/.test(text.slice(0, at)) ? capital(found) : found;
  });
  return words.replaceAll(/ (?=[×+=−] )|(?<= [×+=−]) /g, '\u00a0');
}

/** "You" inside a sentence. */
function inside(names: string): string {
  return names.replace(/^You\b/, 'you');
}

/** Who reads about which act. */
interface About {
  layout: Layout;
  line: Line;
  seats: Seat[];
}

type Part = 'sentence' | 'brief';

/** "3 pieces": several that move together. */
export const SEVERAL = /^(\d+) pieces$/;

/** The seat and the rest of the value of an effect: 1, "1:0F", "1:+3", "1:rock", "0F". */
export function valueOf({ value }: Pick<AnyEffect, 'value'>): { seat: number | null; text: string } {
  if (typeof value === 'number') return { seat: value, text: String(value) };
  const [, seat, text = ''] = /^(?:(\d):)?(.*)$/s.exec(value ?? '') ?? [];
  return { seat: seat === undefined ? null : Number(seat), text };
}

/** One of the texts of an effect, or a part of it. */
function effectWords(effect: AnyEffect, text: string, part: Part, { layout, line, seats }: About): string {
  const { kinds } = layout;
  const { seat, text: what } = valueOf(effect);
  const several = SEVERAL.test(what);
  const piece = readPiece(what, kinds);
  const brief = part === 'brief';
  const name = (of: number): string => (brief ? who(seats, of) : inside(who(seats, of)));
  const words: Record<string, () => string> = {
    piece: () => {
      if (several) return what;
      return brief ? briefWords(piece, kinds, seats) : ownedWords(piece, kinds, seats, /<(?:face|lies)>/.test(text));
    },
    kind: () => (brief ? shortWords : kindWords)(piece, kinds),
    face: () => /\d*$/.exec(piece.kind)![0],
    lies: () => liesWords(piece, kinds),
    way: () => wayWords(layout, line, effect.spaces, brief ? shortWords(piece, kinds) : null),
    who: () => name(line.seat),
    seat: () => name(seat ?? line.seat),
    "seat's": () => whose(seats, seat ?? line.seat),
    whose: () =>
      typeof piece.colour !== 'number' || piece.colour === line.seat ? '' : `${whose(seats, piece.colour)} `,
    zone: () => whose(seats, layout.spaces.find(({ name }) => name === effect.spaces.at(-1))?.zone ?? line.seat),
    value: () => {
      const other = seat !== null && (seat !== line.seat || isRevealed(line)) && !text.includes('<seat>');
      const words = placedWords(layout, what) ?? faceOf(layout, what)?.words ?? spoken(what);
      return brief && other ? `${name(seat)} ${words}` : words;
    },
    numbers: () => {
      const numbers = what.includes(',') ? what.split(',') : [...what];
      return brief ? numbers.join(' ') : list(numbers);
    },
    scores: () => {
      const points = Number(what);
      return `${verb(seats, [seat ?? line.seat], points < 0 ? 'loses' : 'scores')} ${pointWords(Math.abs(points))}`;
    },
    count: () => String(line.effects.filter(({ kind }) => kind === effect.kind).length),
    apart: () => (!isApart(layout, line.text) ? '' : brief ? `${layout.apart!.brief} ` : ` ${layout.apart!.words}`),
    corners: () => cornerWords(layout.spaces, effect.spaces),
    pieces: () =>
      list(
        what.split(' ').map((one, i) => `${ownedWords(readPiece(one, kinds), kinds, seats)} on ${effect.spaces[i]}`),
      ),
  };
  return fill(text, (word) => {
    const known = words[word];
    if (known) return known();
    if (/^-?\d+$/.test(word)) return effect.spaces.at(Number(word)) ?? '';
    const [, all] = /^all (\w+)$/.exec(word) ?? [];
    if (all !== undefined) return allWords(layout, line, all);
    const [one, more] = word.split('|');
    return more === undefined ? verb(seats, [seat ?? line.seat], word) : several ? more : one!;
  });
}

/** The effects of an act in runs of one look. */
export function runs(layout: Layout, effects: readonly AnyEffect[]): AnyEffect[][] {
  const found: AnyEffect[][] = [];
  for (const effect of effects) {
    const last = found.at(-1)?.[0];
    if (last?.kind === effect.kind && lookOf(layout, last) === lookOf(layout, effect)) found.at(-1)!.push(effect);
    else found.push([effect]);
  }
  return found;
}

/** Changes of a seat's points are one effect: the last of them, with their sum. */
function summed(effects: readonly AnyEffect[]): AnyEffect[] {
  const changes = effects.filter(({ kind, value }) => kind === 'scores' && typeof value === 'string');
  const found = new Map(changes.map((effect) => [valueOf(effect).seat, effect]));
  return effects.flatMap((effect) => {
    if (!changes.includes(effect)) return [effect];
    const { seat } = valueOf(effect);
    if (found.get(seat) !== effect) return [];
    const sum = changes.map(valueOf).reduce((all, one) => all + (one.seat === seat ? Number(one.text) : 0), 0);
    return [{ ...effect, value: `${seat}:${sum < 0 ? '' : '+'}${sum}` }];
  });
}

/** The clauses of effects. Those of one kind are one clause if only what is before its verb differs: "a and b fall". */
function clauses(effects: readonly AnyEffect[], part: Part, about: About): string[] {
  const said = new Set<string>();
  return runs(about.layout, summed(effects)).flatMap((run) => {
    const text = lookOf(about.layout, run[0]!, about.line.seat < 0)[part];
    if (part === 'brief' && !text.includes('<')) {
      const isNew = text !== '' && !said.has(text);
      said.add(text);
      return isNew ? [text] : [];
    }
    const each = (some: string): string[] => [...new Set(run.map((effect) => effectWords(effect, some, part, about)))];
    const [, start, verb, end] = /^(.*) <\w+\|(\w+)>(.*)$/.exec(text) ?? [];
    const ends = end === undefined ? [] : each(end);
    if (run.length > 1 && ends.length === 1) return [`${list(each(start!))} ${verb}${ends[0]}`];
    return text ? run.map((effect) => effectWords(effect, text, part, about)) : [];
  });
}

const NO_EFFECT: AnyEffect = { kind: '', spaces: [], value: null };
const NOTHING: EffectLook = { sentence: '', brief: '', motion: '', sound: '', event: '' };

/** `byChance`: of an act of chance, for whose effects there can be other words. */
export function lookOf({ effects }: Layout, { kind, value }: AnyEffect, byChance = false): EffectLook {
  const found = effects[`${kind}:${value}`] ?? effects[kind] ?? NOTHING;
  return byChance ? (effects[`chance:${kind}`] ?? found) : found;
}

/** The effects of an act with what a die beside the board shows, for which a game may record none. */
export function effectsOf(layout: Layout, line: Line): AnyEffect[] {
  const [kind = '', value = ''] = line.text.split(':');
  const isRecorded = line.effects.some((effect) => effect.value === value);
  return rollOf(layout, line) && !isRecorded ? [{ kind, spaces: [], value }, ...line.effects] : line.effects;
}

/** Whether an act is of the second kind, if the game has one. */
export function isApart({ apart }: Layout, text: string): boolean {
  return apart !== undefined && text.startsWith(apart.sign);
}

/** The side of a die or a coin beside the board. */
function faceOf({ shows }: Layout, value: string): Face | undefined {
  return Object.values(shows ?? {}).find(({ faces }) => value in faces)?.faces[value];
}

/** The side that a die beside the board shows after an act of chance. */
export function rollOf({ shows }: Layout, line: Line | null): Face | undefined {
  const [, value = ''] = /^die:(.+)$/.exec(line?.text ?? '') ?? [];
  return Object.values(shows ?? {}).find(({ form }) => form === 'die')?.faces[value];
}

/** "a queen and 2 pawns", "nothing": the pieces of all effects of a kind, the largest first. */
function allWords({ kinds }: Layout, { effects }: Line, kind: string): string {
  const pieces = effects.flatMap((effect) => (effect.kind === kind ? [readPiece(valueOf(effect).text, kinds)] : []));
  return countedWords(pieces, kinds) || 'nothing';
}

/** "a queen and 2 pawns". */
export function countedWords(pieces: readonly Pick<Piece, 'kind'>[], kinds: Layout['kinds']): string {
  const counts = Object.entries(kinds).map(([key, { name, plural }]) => {
    const { length } = pieces.filter((piece) => kindOf(piece.kind, kinds).key === key);
    return length > 1 ? `${length} ${plural}` : length > 0 ? `${/^[aeio]/.test(name) ? 'an' : 'a'} ${name}` : '';
  });
  return list(counts.reverse().filter(Boolean));
}

/** "b3–g5", the opposite corners of an upright rectangle; all corners of another shape. */
function cornerWords(spaces: readonly Space[], corners: readonly string[]): string {
  const places = corners.map((name) => spaces.find((space) => space.name === name));
  const isUpright = new Set(places.map((place) => place?.x)).size * new Set(places.map((place) => place?.y)).size === 4;
  return corners.length === 4 && isUpright ? `${corners[0]}–${corners[3]}` : corners.join(' ');
}

/** The pieces that an act has captured, and where they stood. */
export function capturedBy(layout: Layout, line: Line | null): { piece: Piece; space: string }[] {
  return (line?.effects ?? []).flatMap((effect) => {
    const { motion, event } = lookOf(layout, effect);
    const [space] = effect.spaces;
    if (motion !== 'throw' || event !== 'capture' || space === undefined) return [];
    return [{ piece: readPiece(valueOf(effect).text, layout.kinds), space }];
  });
}

/** What shapes that an act has formed mean: "Rectangle b3–e6 captures a queen". */
export function shapeWords(layout: Layout, line: Line | null, seats: Seat[]): string {
  if (!line) return '';
  const forming = line.effects.filter((effect) => lookOf(layout, effect).shape);
  return capital(clauses(forming, 'sentence', { layout, line, seats }).join('; '));
}

const ACTING: readonly Motion[] = ['put', 'move', 'path', 'swap', 'turn'];

/** Whether an effect is what an act itself does, rather than its consequence. */
export function isActing(layout: Layout, effect: AnyEffect): boolean {
  return ACTING.includes(lookOf(layout, effect).motion);
}

/** Whether the effects of an act say all of its text: spaces, kinds of pieces, colours, directions. */
function isTold(layout: Layout, { text, effects }: Line): boolean {
  const directions = Object.keys(layout.headings).map((name) => name.split(' ')[0]);
  const words = rest(reader(layout.spaces.map(({ name }) => name))(text)).split(' ');
  const isSeen = (word: string) => word === '' || word in layout.kinds || isColour(word) || directions.includes(word);
  return effects.some((effect) => isActing(layout, effect)) && words.every(isSeen);
}

/** Whether an act of secret choices is revealed by its effects. */
function isRevealed({ text, effects }: Line): boolean {
  return text.startsWith(SECRET) && effects.length > 0;
}

/** "Your red freshman comes to b2; Ann’s captain leaps from b1 over b2 to b3 and shows 2.", "Ann rolls “swap”." */
export function say(layout: Layout, line: Line, seats: Seat[], roller = -1): string {
  const { seat } = line;
  const [, side] = /^die:(.+)$/.exec(line.text) ?? [];
  if (roller >= 0 && side !== undefined && line.effects.every(({ kind }) => kind === 'die')) {
    const face = rollOf(layout, line)?.words ?? side;
    return `${who(seats, roller)} ${verb(seats, [roller], 'rolls')} ${/^\d+$/.test(face) ? face : `“${face}”`}.`;
  }
  const effects = effectsOf(layout, line);
  const about = { layout, line, seats };
  const name = who(seats, seat);
  if (line.text === SEALED) return `${name} ${verb(seats, [seat], 'has')} chosen.`;
  const told = clauses(effects, 'sentence', about);
  const own = layout.acts?.[line.text];
  if (own) return `${capital([effectWords(NO_EFFECT, own.sentence, 'sentence', about), ...told].join('; '))}.`;
  const found = told.join('; ').replaceAll(/; (?=[ ,])/g, '');
  const named = effects.some((effect) => {
    const { seat: own, text } = valueOf(effect);
    const owner = SEVERAL.test(text) ? null : ownerOf(readPiece(text, layout.kinds), layout.kinds);
    return (own === seat || owner === seat) && lookOf(layout, effect).sentence !== '';
  });
  if (found === '' && line.text.startsWith(SECRET))
    return `${name} ${verb(seats, [seat], 'chooses')} ${chosenWords(layout, line)}.`;
  if (found === '') return seat < 0 ? `${capital(actWords(layout, line))}.` : `${name}: ${actWords(layout, line)}.`;
  if (seat < 0 || isRevealed(line) || (named && isTold(layout, line))) return `${capital(found)}.`;
  return isTold(layout, line)
    ? `${capital(whose(seats, seat))} move: ${found}.`
    : `${name}: ${actWords(layout, line)}. ${capital(found)}.`;
}

/** "sophomore on b2, captain leaps to b4, 2 fall", "a1–b2, takes small blue, +1"; null: it is not listed. */
export function brief(layout: Layout, line: Line, seats: Seat[]): string | null {
  if (line.text === SEALED) return 'has chosen';
  const about = { layout, line, seats };
  const effects = effectsOf(layout, line);
  const briefs = (acting: boolean): string[] =>
    clauses(
      effects.filter((effect) => isActing(layout, effect) === acting),
      'brief',
      about,
    );
  const results = [...new Set(briefs(false))];
  const named = layout.acts?.[line.text];
  if (named) {
    return [effectWords(NO_EFFECT, named.brief, 'brief', about), ...results].filter(Boolean).join(', ') || null;
  }
  if ((line.seat < 0 || isRevealed(line)) && effects.length > 0) return results.join(', ');
  const own = isTold(layout, line) ? briefs(true) : [];
  const [, heading] = /@.*>(\w+)$/.exec(line.text) ?? [];
  if (own.length > 0 && heading !== undefined) own.push(`points ${headingWords(heading)}`);
  const [first, ...others] = [...(own.length > 0 ? own : [actWords(layout, line)]), ...results];
  return [first, ...others.map(inside)].join(', ');
}

/** "small on b3, points north"; null: the text is no placement. */
export function placedWords({ kinds }: Layout, text: string): string | null {
  const [, kind = '', on, heading] = /^(\w+)@([^>]+)(?:>(\w+))?$/.exec(text) ?? [];
  const points = heading ? `, points ${headingWords(heading)}` : '';
  return kind in kinds ? `${shortWords({ kind }, kinds)} on ${on}${points}` : null;
}

/** "a1–b2", "a1 north-east", "a1 points north-east" if a piece turns, "chooses rock", "die: hop". */
function actWords(layout: Layout, { text, effects }: Pick<Line, 'text' | 'effects'>): string {
  if (text.startsWith(SECRET)) return `chooses ${chosenWords(layout, { text })}`;
  const placed = placedWords(layout, text);
  const [, on, heading] = /^(\w+)>(\w+)$/.exec(text) ?? [];
  if (placed !== null || on === undefined) return placed ?? spoken(text).replace(/^([a-z]+):/, '$1: ');
  const turns = effects.some((effect) => lookOf(layout, effect).motion === 'turn');
  return `${on}${turns ? ' points' : ''} ${headingWords(heading!)}`;
}

/** "rock", "small on b3": a secret choice. */
function chosenWords(layout: Layout, { text }: Pick<Line, 'text'>): string {
  return actWords(layout, { text: text.slice(SECRET.length), effects: [] });
}

/** The space in the middle between two others, which a hop crosses; undefined for a step. */
export function between(spaces: readonly Space[], a: string, b: string): string | undefined {
  const [from, to] = [a, b].map((name) => spaces.find((space) => space.name === name));
  if (!from || !to) return undefined;
  return spaces.find(({ x, y }) => Math.hypot(2 * x - from.x - to.x, 2 * y - from.y - to.y) < 0.1)?.name;
}

/** Small numbers in words, as in sentences. */
const NUMBERS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];

/** "hops from a1 over b1 to c2, then over c3 to c4", "comes in at a1 and steps to a2"; `short`: "a large enters at a2". */
function wayWords({ spaces }: Layout, { text }: Line, way: readonly string[], short: string | null): string {
  const [start, end] = [way[0]!, way.at(-1)!];
  const legs = way.slice(1).map((to, i) => ({ over: between(spaces, way[i]!, to), to }));
  const hops = legs.flatMap(({ over, to }) => (over === undefined ? [] : [`over ${over} to ${to}`]));
  const steps = legs.flatMap(({ over, to }) => (over === undefined ? [`to ${to}`] : []));
  const enters = !reader(spaces.map(({ name }) => name))(text).spaces.includes(start);
  if (short !== null) {
    return enters
      ? `a ${short} enters at ${end}${hops.length > 0 ? `, over ${NUMBERS[hops.length] ?? hops.length}` : ''}`
      : `${start}–${end}${hops.length > 0 ? ` over ${NUMBERS[hops.length] ?? hops.length}` : ''}`;
  }
  const from = enters ? '' : `from ${start} `;
  return list([
    ...(enters ? [`comes in at ${start}`] : []),
    ...(hops.length > 0 ? [`hops ${from}${hops.join(', then ')}`] : []),
    ...(steps.length > 0 ? [`steps ${hops.length > 0 ? '' : from}${steps.join(', then ')}`] : []),
  ]);
}
