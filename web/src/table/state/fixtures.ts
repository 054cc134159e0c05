/** The table that the tests of the table play at. */

import type { TableInfo } from '../../wire';

export const TABLE: TableInfo = {
  id: 't',
  game: 'g',
  title: 'G',
  options: {},
  layout: {},
  seats: [],
  local: true,
  turns: true,
  clock: null,
  paused: false,
  unattended: false,
  commitment: 'c0',
  solvable: false,
  analysable: true,
  insight: 'over',
  standing: null,
  started: true,
  public: false,
  host: false,
  guest: [],
  hidden: false,
  proposal: null,
  pair: false,
  lots: false,
  record: false,
  explore: false,
  hands: false,
  match: null,
};
