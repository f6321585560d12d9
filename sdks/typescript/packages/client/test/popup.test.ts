// Sign-in by a window of its own: two clients of one origin, which stand for the page and its window.
import { afterEach, expect, test, vi } from 'vitest';
import { type Client, createClient } from '../src/index.js';
import { ISSUER, REDIRECT, Server } from './server.js';

afterEach(() => vi.unstubAllGlobals());

function opened() {
  const window = { location: { href: '' }, closed: false, close: vi.fn() };
  vi.stubGlobal('open', () => window);
  return window;
}

/** Clients of one application share what they know: each test has its own. */
const made = (): Server => new Server(ISSUER, crypto.randomUUID());

const clientOf = (server: Server): Client =>
  createClient({ baseURL: ISSUER, oauth: { clientId: server.client, redirectUri: REDIRECT }, fetch: server.fetch, tabs: true });

test('the page goes on with what its window came back with, and both are signed in', async () => {
  const window = opened();
  const close = vi.fn();
  vi.stubGlobal('close', close);
  const server = made();
  const [page, other] = [clientOf(server), clientOf(server)];
  const login = page.login({ popup: true });
  await vi.waitFor(() => expect(window.location.href).not.toBe(''), { timeout: 30_000 });
  expect(page.isCallback(server.allow(window.location.href))).toBe(true);
  expect(await other.handleCallback(server.allow(window.location.href))).toEqual({ returnTo: REDIRECT });
  await login;
  expect(close).toHaveBeenCalledTimes(1);
  expect(page.getSnapshot()).toMatchObject({ status: 'signed-in', user: { name: 'Ada' } });
  await vi.waitFor(() => expect(other.getSnapshot().status).toBe('signed-in'), { timeout: 30_000 });
});

test('a window with the answer to another sign-in is taken by no page', async () => {
  const window = opened();
  const server = made();
  const [page, other] = [clientOf(server), clientOf(server)];
  const login = page.login({ popup: true }).catch((error: { code: string }) => error.code);
  await vi.waitFor(() => expect(window.location.href).not.toBe(''), { timeout: 30_000 });
  const right = server.allow(window.location.href);
  const third = new BroadcastChannel(`svc:${ISSUER}:${server.client}`);
  for (const url of [undefined, 7, 'no address']) third.postMessage({ t: 'callback', url });
  await expect(other.handleCallback(right.replace(/state=[^&]*/, 'state=p.another'))).rejects.toMatchObject({ code: 'state_mismatch' });
  expect(page.getSnapshot().status).toBe('signed-out');
  await other.handleCallback(right);
  expect(await login).toBe(undefined);
  expect(page.getSnapshot().status).toBe('signed-in');
  third.close();
});

test('a window that was closed is reported when another takes its place, not after the person has signed in by that', async () => {
  const window = () => ({ location: { href: '' }, closed: false, close: vi.fn() });
  const [closed, present] = [window(), window()];
  vi.stubGlobal('open', vi.fn().mockReturnValueOnce(closed).mockReturnValueOnce(present));
  const server = made();
  const [page, other] = [clientOf(server), clientOf(server)];
  const first = page.login({ popup: true }).catch((error: { code: string }) => error.code);
  await vi.waitFor(() => expect(closed.location.href).not.toBe(''));
  closed.closed = true;
  const second = page.login({ popup: true });
  expect(await first).toBe('popup_closed');
  await vi.waitFor(() => expect(present.location.href).not.toBe(''));
  await other.handleCallback(server.allow(present.location.href));
  await second;
  expect(page.getSnapshot().status).toBe('signed-in');
});

test('a window that the browser blocks is named, and nothing is sent', async () => {
  vi.stubGlobal('open', () => null);
  const server = made();
  await expect(clientOf(server).login({ popup: true })).rejects.toMatchObject({ code: 'popup_blocked' });
  expect(server.sent).toHaveLength(0);
});
