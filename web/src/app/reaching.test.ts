import { expect, it, vi } from 'vitest';
import { isLoopback, originForOthers, siteWords } from './reaching';

const fetchAddresses = vi.hoisted(() => vi.fn());
vi.mock('./http', () => ({ fetchAddresses }));

function at(origin: string): void {
  vi.stubGlobal('location', { origin, hostname: new URL(origin).hostname });
}

it.each(['localhost', '127.0.0.1', '127.8.9.1', '[::1]'])('%s is the machine itself', (host) => {
  expect(isLoopback(host)).toBe(true);
});

it.each(['192.168.0.7', '127.0.0.1.example', 'localhost.example', '[::2]'])('%s may be another machine', (host) => {
  expect(isLoopback(host)).toBe(false);
});

it('others come by the address of the page, if that is no address of the machine itself', async () => {
  at('https://games.example');
  expect(await originForOthers()).toBe('https://games.example');
  expect(fetchAddresses).not.toHaveBeenCalled();
});

it('else by the first that the server knows, if there is one', async () => {
  at('http://127.0.0.1:8421');
  fetchAddresses.mockResolvedValueOnce({ others: ['http://192.168.0.7:8421/', 'http://[fd00::7]:8421/'] });
  expect(await originForOthers()).toBe('http://192.168.0.7:8421');
  fetchAddresses.mockResolvedValueOnce({ others: [] });
  expect(await originForOthers()).toBeNull();
  fetchAddresses.mockRejectedValueOnce(new Error('gone'));
  expect(await originForOthers()).toBeNull();
});

it('pictures name the site, and its address where others reach it', () => {
  expect(siteWords('https://games.example:8421')).toBe('icetable · games.example:8421');
  expect(siteWords(null)).toBe('icetable');
});
