import { expect, it, vi } from 'vitest';
import { askReach, fetchReach, isLoopback, letIn, networkWords, siteWords } from './reaching';

const http = vi.hoisted(() => ({ fetchAddresses: vi.fn(), setNetwork: vi.fn() }));
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

const WIFI = { host: '192.168.0.7', kind: 'wifi', name: 'wlan0', address: null } as const;

it('others use the address of the page, unless only the machine itself can', async () => {
  at('games.example');
  expect(await fetchReach()).toEqual({ base: HERE, networks: [] });
  expect(http.fetchAddresses).not.toHaveBeenCalled();
});

it('otherwise they use the first address that the server knows, if there is one', async () => {
  at('127.0.0.1');
  const others = ['http://192.168.0.7:8421/', 'http://[fd00::7]:8421/'];
  http.fetchAddresses.mockResolvedValueOnce({ others, openable: false });
  expect(await fetchReach()).toEqual({ base: 'http://192.168.0.7:8421/', networks: [] });
  http.fetchAddresses.mockResolvedValueOnce({ others: [], openable: true, networks: [WIFI] });
  expect(await fetchReach()).toEqual({ base: null, networks: [WIFI] });
  http.fetchAddresses.mockRejectedValue(new Error('gone'));
  expect(await fetchReach()).toEqual({ base: null, networks: [] });
  await expect(askReach()).rejects.toThrow('gone');
});

it('a server is opened to one network, and closed again', async () => {
  const address = 'http://192.168.0.7:8421/';
  http.setNetwork.mockResolvedValueOnce({ others: [address], openable: false, networks: [{ ...WIFI, address }] });
  expect(await letIn(WIFI.host, true)).toEqual({ base: address, networks: [{ ...WIFI, address }] });
  expect(http.setNetwork).toHaveBeenCalledWith({ host: WIFI.host, open: true });
  http.setNetwork.mockResolvedValueOnce({ others: [], openable: true, networks: [WIFI] });
  expect(await letIn(WIFI.host, false)).toEqual({ base: null, networks: [WIFI] });
  expect(networkWords(WIFI)).toBe('Wi-Fi, 192.168.0.7');
});

it('pictures name the site, and its address if others can reach it', () => {
  expect(siteWords('https://games.example:8421/')).toBe('icetable · games.example:8421');
  expect(siteWords('https://games.example/pyramids/')).toBe('icetable · games.example/pyramids');
  expect(siteWords(null)).toBe('icetable');
});
