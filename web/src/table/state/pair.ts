/** Games that belong together: a pair, with seats changed for the second, and matches. */

import { matchWords } from '../../app/words';
import { everyone, pointWords, verb } from '../../board/words';
import type { Ending, Match, Seat, Standing, TableInfo } from '../../wire';
import { standingWords, who } from './words';

export function nextGameWords({ pair, match, seats }: TableInfo, ending: Ending | null): string {
  if (match && ending) return ending.standing.match_winners ? 'New match' : 'Next game';
  if (pair && ending && ending.standing.games % 2 === 1) return 'Play game 2';
  return seats.length > 1 ? 'Rematch' : 'Play again';
}

/** "Both games – You: 12, Ann: 9 – you win the pair"; for games that belong to no pair, the standing of the series. */
export function sumWords({ pair, match, seats }: TableInfo, { standing }: Ending): string {
  if (match) return standing.match_winners ? wonWords(match, seats, standing) : stillWords(match, seats, standing);
  if (pair && standing.games === 1) return `Game 2 of 2: ${swapWords(seats)} swap seats`;
  if (!pair || standing.games !== 2) return standingWords(seats, standing);
  const parts = seats.map(({ seat }) => `${who(seats, seat)}: ${standing.scores[seat] ?? 0}`);
  return `Both games – ${parts.join(', ')} – ${winnerWords(seats, standing.leaders)}`;
}

/** "you", "the players": those who change seats. */
function swapWords(seats: Seat[]): string {
  return seats.some(({ mine }) => mine) ? 'you' : 'the players';
}

/** "You win the match 3–1", "The match is over – 31 points in 3 games". */
function wonWords(match: Match, seats: Seat[], standing: Standing): string {
  const winners = standing.match_winners ?? [];
  if (seats.length === 1) return `The match is over – ${pointWords(standing.scores[0]!)} in ${standing.games} games`;
  const isDraw = winners.length === seats.length;
  const words = isDraw
    ? 'The match is a draw'
    : `${everyone(seats, winners)} ${verb(seats, winners, 'wins')} the match`;
  const by = isTied(match, standing, winners) ? ' by the tie-break,' : isDraw ? ',' : '';
  return `${words}${by}${seats.length > 2 && by === '' ? ':' : ''} ${countWords(match, seats, standing, winners[0])}`;
}

/** Whether more seats have the top score than have won. */
function isTied({ until }: Match, { scores }: Standing, winners: number[]): boolean {
  return until === 'games' && scores.filter((score) => score === Math.max(...scores)).length > winners.length;
}

/** "Match, first to 3 wins: you lead 1–0", "Game 2 of 5: you lead 12–9 on points (games won 1–1)". */
function stillWords(match: Match, seats: Seat[], standing: Standing): string {
  const { games, scores, wins } = standing;
  const where = match.until === 'wins' ? `Match, ${matchWords(match)}` : `Game ${games} of ${match.number}`;
  const counts = match.until === 'wins' ? (wins ?? []) : scores;
  const isLevel = seats.length !== 2 || counts[0] === counts[1];
  const leader = Number((counts[1] ?? 0) > (counts[0] ?? 0));
  const leads = isLevel ? '' : `${who(seats, leader).replace(/^You$/, 'you')} ${verb(seats, [leader], 'leads')} `;
  return `${where}: ${leads}${countWords(match, seats, standing, leader)}`;
}

/** "3–1", "12–9 on points (games won 1–0)": between two, those of seat `first` before the other's. */
function countWords({ until }: Match, seats: Seat[], { wins = [], scores }: Standing, first = 0): string {
  const rounded = (counts: number[]): string[] => counts.map((count) => String(Math.round(count * 100) / 100));
  const counted = (counts: number[]): string => {
    if (seats.length !== 2) return seats.map(({ seat }) => `${who(seats, seat)}: ${rounded(counts)[seat]}`).join(', ');
    return [rounded(counts)[first], rounded(counts)[1 - first]].join('–');
  };
  if (until === 'wins') return counted(wins);
  if (seats.length !== 2) return counted(scores);
  return `${counted(scores)} on points${wins.length > 0 ? ` (games won ${counted(wins)})` : ''}`;
}

function winnerWords(seats: Seat[], leaders: number[]): string {
  if (leaders.length !== 1) return 'the pair is a draw';
  const name = who(seats, leaders[0]!);
  return name === 'You' ? 'you win the pair' : `${name} wins the pair`;
}
