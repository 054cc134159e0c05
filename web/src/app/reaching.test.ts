import { expect, it, vi } from 'vitest';
import { fetchReach, isLoopback, letOthersIn, siteWords } from './reaching';

const http = vi.hoisted(() => ({ fetchAddresses: vi.fn(), openToNetwork: vi.fn() }));
vi.mock('./http', () => http);

const HERE = 'http://127.0.0.1:8421/';

function at(hostname: string): void {
  vi.stubGlobal('location', { hostname });
}

it.each(['localhost', '127.0.0.1', '127.8.9.1', '[::1]'])('%s is the machine itself', (host) => {
  expect(isLoopback(host)).toBe(true);
});

it.each(['192.168.0.7', '127.0.0.1.example', 'localhost.example', '[::2]'])('%s may be another machine', (host) => {
  expect(isLoopback(host)).toBe(false);
});

it('others use the address of the page, unless only the machine itself can', async () => {
  at('games.example');
  expect(await fetchReach()).toEqual({ base: HERE, openable: false });
  expect(http.fetchAddresses).not.toHaveBeenCalled();
});

it('otherwise they use the first address that the server knows, if there is one', async () => {
  at('127.0.0.1');
  const others = ['http://192.168.0.7:8421/', 'http://[fd00::7]:8421/'];
  http.fetchAddresses.mockResolvedValueOnce({ others, openable: false });
  expect(await fetchReach()).toEqual({ base: 'http://192.168.0.7:8421/', openable: false });
  http.fetchAddresses.mockResolvedValueOnce({ others: [], openable: true });
  expect(await fetchReach()).toEqual({ base: null, openable: true });
  http.fetchAddresses.mockRejectedValueOnce(new Error('gone'));
  expect(await fetchReach()).toEqual({ base: null, openable: false });
});

it('a server that lets its network in says at which address', async () => {
  http.openToNetwork.mockResolvedValueOnce({ others: ['http://192.168.0.7:8421/'], openable: false });
  expect(await letOthersIn()).toEqual({ base: 'http://192.168.0.7:8421/', openable: false });
});

it('pictures name the site, and its address if others can reach it', () => {
  expect(siteWords('https://games.example:8421/')).toBe('icetable · games.example:8421');
  expect(siteWords('https://games.example/pyramids/')).toBe('icetable · games.example/pyramids');
  expect(siteWords(null)).toBe('icetable');
});
