import { describe, expect, it } from 'vitest';
import { boardWords, parseDrawing } from './drawing';
import { fieldWords, parseExample } from './field';

function words(game: string, colours: string[], ...rows: string[]): string {
  return (parseDrawing(game, ['The caption.', '', ...rows].join('\n'), colours)?.boards ?? [])
    .map(boardWords)
    .join(' | ');
}

describe('a drawing of the rules', () => {
  it('has pieces, marks and captains', () => {
    expect(words('squad', ['red', 'green'], '1C3 x', '.   0J')).toBe(
      'a2 green captain with 3, b1 large red; marked: b2',
    );
    expect(words('wrecktangle', ['red', 'blue'], '#  1Dx', '0Q .')).toBe('b2 medium blue, a1 large red; marked: b2');
    expect(words('highrise', ['red', 'purple'], '0S?1L L:cyanS:black')).toBe(
      'a1 large purple on small red, b1 small black on large cyan',
    );
  });

  it('centres rows of different lengths', () => {
    const board = parseDrawing('icefrogs', 'Here.\n\n  .\n0L1M .\n  x', ['red', 'blue'])?.boards[0];
    expect(board?.places.map(({ name, x, y }) => [name, x, y])).toEqual([
      ['c1', 0, 0],
      ['b1', -1, 1],
      ['b2', 1, 1],
      ['a1', 0, 2],
    ]);
  });

  it('can have two boards, before and after, or none', () => {
    expect(words('squad', ['red'], '.', '', '0F')).toBe('no pieces | a1 small red');
    expect(parseDrawing('squad', 'icetable play squad', [])).toBeNull();
    expect(parseDrawing('squad', 'Here.\n\nsome words', [])).toBeNull();
  });
});

describe('an example of Icehouse', () => {
  const example = (...lines: string[]) => parseExample(lines.join('\n'), ['red', 'green']);

  it('has the pieces that are on the field after its acts', () => {
    const { pieces = [], results } =
      example(
        'What happens.',
        '',
        '0 lift S, place 5000,2000 stand 0.0',
        '1 lift M, place 3500,2000 point 0.0 # places p2 M:green, ices p1',
        '1 lift S, place 1,1 stand 0.0 ! IH-5',
        '  It would overlap.',
        '1 place 5000,3300 point 270.0 # places p3 S:green',
        '0 capture p3 # captures p3 S:green',
        '0 lift S:green, place 900,900 stand 0.0',
        '0 lift L, place 901,901 stand 0.0 # crashes red L:red',
        '',
        '+---+',
        '|   |',
        '+---+',
        '',
        'p1 is iced.',
      ) ?? {};
    expect(fieldWords(pieces)).toBe('p1 small red stands, iced; p2 medium green lies; p4 small green stands');
    expect(pieces[1]).toMatchObject({ x: 3500, y: 2000, heading: 0 });
    expect(results).toBe('p1 is iced.');
  });

  it('is not confused with other blocks', () => {
    expect(example('Seat 0 moves.', '', '. x')).toBeNull();
  });
});
