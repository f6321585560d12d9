// @vitest-environment happy-dom
// The programs in docs/packages/client.md, as their readers run them, in a page and by the package that is built.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Client, SvcError, createClient } from '@svc/client';
import { notes } from './guide/notes.js';
import { REDIRECT, Server, json } from './server.js';

const [ISSUER, CLIENT, API] = ['http://localhost:8080', 'app_…', 'https://api.demo.example'];
let server: Server;
let left: string[];

beforeEach(() => {
  server = new Server(ISSUER, CLIENT);
  left = [];
  vi.resetModules();
  vi.stubGlobal('fetch', server.fetch);
  vi.spyOn(location, 'assign').mockImplementation((url) => void left.push(String(url)));
  document.body.innerHTML = '<p id="person"></p><button id="sign-in"></button><button id="sign-out"></button>';
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  sessionStorage.clear();
});

/** Loads the page at an address, as a browser that goes there. */
async function load(address: string): Promise<Client> {
  vi.resetModules();
  (window as unknown as { happyDOM: { setURL(url: string): void } }).happyDOM.setURL(address);
  return (await import('./guide/page.js')).client;
}
const person = () => document.querySelector('#person')?.textContent;
const press = (id: string) => document.querySelector<HTMLButtonElement>(id)!.click();

/** Clicks on the sign-in; gives the address that the browser was led to. */
async function begin(): Promise<string> {
  await load('https://shop.example/');
  expect(person()).toBe('not signed in');
  press('#sign-in');
  await vi.waitFor(() => expect(left).toHaveLength(1), { timeout: 30_000 });
  return left[0]!;
}

test('the page signs in, shows who it is, and its address goes on where the sign-in was to lead', async () => {
  const client = await load(server.allow(await begin()));
  expect(person()).toBe('Ada');
  expect(client.getSnapshot().status).toBe('signed-in');
  expect(location.href).toBe('https://shop.example/notes');
  press('#sign-out');
  await vi.waitFor(() => expect(person()).toBe('not signed in'), { timeout: 30_000 });
});

test('the page says by its code what went wrong', async () => {
  const said = vi.spyOn(console, 'log').mockReturnValue();
  await load(server.refuse(await begin()));
  expect(said.mock.calls).toEqual([['access_denied']]);
  expect(person()).toBe('not signed in');
});

test('the call of an API leads to a sign-in there once, and then has its answer', async () => {
  const wished: unknown[] = [];
  server.before = (path) => (path === '/notes' ? json(['a note']) : undefined);
  const client = createClient({
    baseURL: ISSUER, oauth: { clientId: CLIENT, redirectUri: REDIRECT }, fetch: server.fetch, open: async (address) => server.allow(address),
  });
  const login = client.login.bind(client);
  vi.spyOn(client, 'login').mockImplementation((wish) => (wished.push(wish), login(wish)));
  await client.login();
  await notes(client);
  expect(wished).toEqual([undefined, { resource: API, scopes: ['notes:read'] }]);
  const answer = await notes(client);
  expect(await (answer as Response).json()).toEqual(['a note']);
  expect(server.sent.at(-1)).toMatchObject({ url: `${API}/notes` });
  expect(wished).toHaveLength(2);
  server.before = () => json({}, 503);
  vi.spyOn(client, 'fetch').mockRejectedValue(new SvcError('network'));
  await expect(notes(client)).rejects.toMatchObject({ code: 'network' });
});
