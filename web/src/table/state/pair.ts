/** Two games that belong together, with seats changed for the second. */

import type { Ending, Seat, TableInfo } from '../../wire';
import { standingWords, who } from './words';

/** What the next game is to the players: the second of a pair, or just another one. */
export function nextGameWords({ pair, seats }: TableInfo, ending: Ending | null): string {
  if (pair && ending && ending.standing.games % 2 === 1) return 'Second game';
  return seats.length > 1 ? 'Rematch' : 'Play again';
}

/** "Both games – You: 12, Ann: 9 – you win the pair"; where games belong to no pair, the standing of the series. */
export function sumWords({ pair, seats }: TableInfo, { standing }: Ending): string {
  if (pair && standing.games === 1) return 'Seats change for the second game';
  if (!pair || standing.games !== 2) return standingWords(seats, standing);
  const parts = seats.map(({ seat }) => `${who(seats, seat)}: ${standing.scores[seat] ?? 0}`);
  return `Both games – ${parts.join(', ')} – ${winnerWords(seats, standing.leaders)}`;
}

function winnerWords(seats: Seat[], leaders: number[]): string {
  if (leaders.length !== 1) return 'the pair is a draw';
  const name = who(seats, leaders[0]!);
  return name === 'You' ? 'you win the pair' : `${name} wins the pair`;
}
