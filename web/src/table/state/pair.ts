/** Games that belong together: a pair, with seats changed for the second, and matches. */

import { matchWords } from '../../app/words';
import { everyone, pointWords, verb } from '../../board/words';
import type { Ending, Match, Seat, Standing, TableInfo } from '../../wire';
import { standingWords, who } from './words';

export function nextGameWords({ pair, match, seats }: TableInfo, ending: Ending | null): string {
  if (match && ending) return ending.standing.match_winners ? 'New match' : 'Next game';
  if (pair && ending && ending.standing.games % 2 === 1) return 'Second game';
  return seats.length > 1 ? 'Rematch' : 'Play again';
}

/** "Both games – You: 12, Ann: 9 – you win the pair"; for games that belong to no pair, the standing of the series. */
export function sumWords({ pair, match, seats }: TableInfo, { standing }: Ending): string {
  if (match) return standing.match_winners ? wonWords(match, seats, standing) : stillWords(match, seats, standing);
  if (pair && standing.games === 1) return 'Seats change for the second game';
  if (!pair || standing.games !== 2) return standingWords(seats, standing);
  const parts = seats.map(({ seat }) => `${who(seats, seat)}: ${standing.scores[seat] ?? 0}`);
  return `Both games – ${parts.join(', ')} – ${winnerWords(seats, standing.leaders)}`;
}

/** "You win the match – You: 3, Ann: 1", "The match is over – 31 points in 3 games". */
function wonWords(match: Match, seats: Seat[], standing: Standing): string {
  const winners = standing.match_winners ?? [];
  if (seats.length === 1) return `The match is over – ${pointWords(standing.scores[0]!)} in ${standing.games} games`;
  const words =
    winners.length === seats.length
      ? 'The match is a draw'
      : `${everyone(seats, winners)} ${verb(seats, winners, 'wins')} the match`;
  return `${words} – ${tallyWords(match, seats, standing)}${isTied(match, standing, winners) ? ', by the tie-break' : ''}`;
}

/** Whether more seats have the top score than have won. */
function isTied({ until }: Match, { scores }: Standing, winners: number[]): boolean {
  return until === 'games' && scores.filter((score) => score === Math.max(...scores)).length > winners.length;
}

/** "Match, first to 3 wins – You: 1, Ann: 1", "Game 2 of 5 – You: 12, Ann: 9". */
function stillWords(match: Match, seats: Seat[], standing: Standing): string {
  const where = match.until === 'wins' ? `Match, ${matchWords(match)}` : `Game ${standing.games} of ${match.number}`;
  return `${where} – ${tallyWords(match, seats, standing)}`;
}

function tallyWords({ until }: Match, seats: Seat[], { wins, scores }: Standing): string {
  const counts = until === 'wins' ? (wins ?? []) : scores;
  return seats.map(({ seat }) => `${who(seats, seat)}: ${Math.round((counts[seat] ?? 0) * 100) / 100}`).join(', ');
}

function winnerWords(seats: Seat[], leaders: number[]): string {
  if (leaders.length !== 1) return 'the pair is a draw';
  const name = who(seats, leaders[0]!);
  return name === 'You' ? 'you win the pair' : `${name} wins the pair`;
}
