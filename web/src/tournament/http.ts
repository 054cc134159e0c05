/** The server’s HTTP interface for tournaments. Errors are sentences for users. */

import { ask } from '../app/http';
import type {
  Entered,
  EnterRequest,
  OrganizerRequest,
  Tournament,
  TournamentCreated,
  TournamentRequest,
} from '../wire';

export async function createTournament(request: TournamentRequest): Promise<TournamentCreated> {
  return (await send('api/tournaments', request)).json() as Promise<TournamentCreated>;
}

/** `code`: the organizer’s, to enter a bot. */
export async function enter(tournament: string, request: EnterRequest, code = ''): Promise<Entered> {
  return (await send(`${addressOf(tournament)}/entrants`, request, code)).json() as Promise<Entered>;
}

export async function organize(tournament: string, request: OrganizerRequest, code: string): Promise<Tournament> {
  return (await send(`${addressOf(tournament)}/orders`, request, code)).json() as Promise<Tournament>;
}

function addressOf(tournament: string): string {
  return `api/tournaments/${encodeURIComponent(tournament)}`;
}

function send(
  address: string,
  request: TournamentRequest | EnterRequest | OrganizerRequest,
  code = '',
): Promise<Response> {
  const headers = { 'content-type': 'application/json', ...(code ? { 'Icetable-Code': code } : {}) };
  return ask(address, { method: 'POST', headers, body: JSON.stringify(request) });
}
