import { expect, it } from 'vitest';
import type { OptionSpec } from '../wire';
import { optionHelp, optionsWords } from './options';

const ROWS: OptionSpec = {
  name: 'rows',
  kind: 'int',
  default: 3,
  help: 'Rows of the board',
  rule: 'HR-1',
  recommended: 3,
};
const VALUES: OptionSpec = { ...ROWS, name: 'values', kind: 'list', help: 'Numbers under the towers: dice, or a list' };
const MEMORY: OptionSpec = {
  ...ROWS,
  name: 'memory',
  kind: 'choice',
  help: 'Covered pyramids',
  choices: ['on', 'off'],
  labels: ['stay hidden', 'may be looked up'],
};
const FORMATION: OptionSpec = {
  ...ROWS,
  name: 'formation',
  kind: 'choice',
  help: 'A friend needs so many beside it; or up to that',
  choices: ['exact', 'up-to'],
  readings: [
    { label: 'Exact', about: '' },
    { label: 'Friendly', about: '' },
  ],
};

it('splits the help into a name and details', () => {
  expect([ROWS, VALUES, FORMATION].map(optionHelp)).toEqual([
    { name: 'Rows of the board', more: '' },
    { name: 'Numbers under the towers', more: 'dice, or a list' },
    { name: 'Way to play', more: FORMATION.help },
  ]);
});

it('describes the options of a table', () => {
  const options = { rows: 4, values: [1, 2], memory: 'off', formation: 'up-to', new_one: true };
  expect(optionsWords(options, [ROWS, VALUES, MEMORY, FORMATION])).toEqual([
    'Rows of the board: 4',
    'Numbers under the towers: 1, 2',
    'Covered pyramids: may be looked up',
    'Way to play: Friendly',
    'New one: yes',
  ]);
});
