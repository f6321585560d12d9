import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, expectTypeOf, test, vi } from 'vitest';
import { CANARY, CLIENT, ISSUER, Server } from '../../client/test/server.js';
import { type Electron, type ElectronAuth, type IpcEvent, createElectronAuth } from '../src/index.js';
import type { SvcBridge } from '../src/preload.js';
import { safeFile } from '../src/storage.js';

let folder: string;
let server: Server;
let handlers: Map<string, (event: IpcEvent, ...values: unknown[]) => unknown>;
let auth: ElectronAuth;
let backend: string;
/** What the person does in the system's browser. */
let browse: (url: string) => Promise<unknown>;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-electron-'));
  server = new Server();
  backend = 'gnome_libsecret';
  browse = (url) => fetch(server.allow(url));
  auth = create();
});
afterEach(async () => {
  auth.dispose();
  await rm(folder, { recursive: true });
});

function create(patience?: number): ElectronAuth {
  handlers = new Map();
  return createElectronAuth({
    electron: {
      shell: { openExternal: async (url) => void browse(url) },
      safeStorage: {
        isEncryptionAvailable: () => true,
        getSelectedStorageBackend: () => backend,
        encryptString: (text) => Buffer.from(Buffer.from(text).map((byte) => byte ^ 42)),
        decryptString: (sealed) => Buffer.from(sealed.map((byte) => byte ^ 42)).toString(),
      },
      ipcMain: { handle: (channel, listener) => void handlers.set(channel, listener), removeHandler: (channel) => void handlers.delete(channel) },
    },
    baseURL: ISSUER,
    oauth: { clientId: CLIENT },
    file: join(folder, 'deep', 'session'),
    trusted: ['app://shop'],
    fetch: server.fetch,
    ...(patience === undefined ? {} : { patience }),
  });
}

function window(url = 'app://shop/index.html') {
  const sent: unknown[] = [];
  const once = vi.fn();
  const place = { url };
  const event = { sender: { send: (...values: unknown[]) => void sent.push(values), isDestroyed: () => false, once, getURL: () => place.url }, senderFrame: place };
  return { sent, once, goTo: (url: string) => void (place.url = url), ask: (name: string, value?: unknown) => handlers.get(`svc:${name}`)?.(event as IpcEvent, value) as Promise<{ value?: unknown; error?: string }> };
}

/** What this package uses, as Electron's own declarations have it. */
interface Declared {
  shell: { openExternal(url: string, options?: { activate?: boolean }): Promise<void> };
  safeStorage: {
    isEncryptionAvailable(): boolean;
    getSelectedStorageBackend(): 'basic_text' | 'gnome_libsecret' | 'kwallet' | 'unknown';
    encryptString(plainText: string): Buffer;
    decryptString(encrypted: Buffer): string;
  };
  ipcMain: {
    handle(channel: string, listener: (event: DeclaredEvent, ...args: any[]) => Promise<any> | any): void;
    removeHandler(channel: string): void;
  };
}

interface DeclaredEvent {
  frameId: number;
  readonly senderFrame: { readonly url: string } | null;
  sender: {
    send(channel: string, ...args: any[]): void;
    isDestroyed(): boolean;
    once(event: 'destroyed', listener: () => void): DeclaredEvent['sender'];
    once(event: 'did-finish-load', listener: () => void): DeclaredEvent['sender'];
    getURL(): string;
  };
}

test("a program in TypeScript passes Electron's own module", () => {
  expectTypeOf<Declared>().toExtend<Electron>();
});

test('a window signs in by the browser of the system and sees the person, never a token', async () => {
  const { ask, sent } = window();
  expect(await ask('state')).toMatchObject({ value: { status: 'signed-out' } });
  expect(await ask('login')).toEqual({ value: undefined });
  const state = await ask('state');
  expect(state).toMatchObject({ value: { status: 'signed-in', user: { name: 'Ada' } } });
  expect(JSON.stringify([state, sent])).not.toContain(CANARY);
  expect(sent.at(-1)).toMatchObject(['svc:changed', { status: 'signed-in' }]);
  const redirect = server.sent.find(({ url }) => url.endsWith('/oauth/token'))?.body.get('redirect_uri');
  expect(redirect).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
  expect(await auth.client.getAccessToken()).toContain('access-');
  await expect(fetch(redirect as string)).rejects.toThrow();
});

test('every window hears of the session, whichever of them acts, until it is closed', async () => {
  const [first, second] = [window(), window()];
  for (const { ask } of [first, second, second]) await ask('state');
  expect(second.once).toHaveBeenCalledTimes(1);
  await first.ask('login');
  for (const { sent } of [first, second]) {
    expect(sent.at(-1)).toMatchObject(['svc:changed', { status: 'signed-in', user: { name: 'Ada' } }]);
    expect(JSON.stringify(sent)).not.toContain(CANARY);
  }
  await second.ask('logout');
  expect(first.sent.at(-1)).toMatchObject(['svc:changed', { status: 'signed-out' }]);
  const before = second.sent.length;
  second.once.mock.calls[0]?.[1]();
  await first.ask('login');
  expect(first.sent.at(-1)).toMatchObject(['svc:changed', { status: 'signed-in' }]);
  expect(second.sent).toHaveLength(before);
});

test('a person who does not come back in time is not signed in', async () => {
  auth.dispose();
  auth = create(1);
  browse = async () => {};
  expect(await window().ask('login')).toEqual({ error: 'cancelled' });
  expect(auth.client.getSnapshot().status).toBe('signed-out');
});

test('a page of others in the browser does not end a sign-in: it goes on waiting for its own answer', async () => {
  const answers: [number, string | null][] = [];
  browse = async (url) => {
    const [right, refusal] = [server.allow(url), server.refuse(url)];
    const { origin, searchParams } = new URL(right);
    const state = searchParams.get('state');
    const foreign = [
      right.replace(/state=[^&]*/, 'state=another'), refusal.replace(/state=[^&]*/, 'state=another'),
      `${origin}/callback`, `${origin}/callback?error=access_denied`, `${origin}/callback?code=${CANARY}&state=`, `${origin}/callback?state=${state}`,
    ];
    for (const address of foreign) {
      const reply = await fetch(address);
      answers.push([reply.status, reply.headers.get('content-type')]);
      expect(await reply.text()).toMatch(/^This is not the answer to the sign-in/);
    }
    await fetch(right);
  };
  expect(await window().ask('login')).toEqual({ value: undefined });
  expect(answers).toEqual(Array.from({ length: 6 }, () => [400, 'text/plain; charset=utf-8']));
  expect(auth.client.getSnapshot().status).toBe('signed-in');
});

test('another organization is a sign-in by the browser where there is no refresh token', async () => {
  server.renews = false;
  const asked: (string | null)[] = [];
  browse = (url) => {
    asked.push(server.asked(url).get('organization'));
    return fetch(server.allow(url));
  };
  const { ask } = window();
  await ask('login');
  expect(await ask('organization', 'org_b')).toEqual({ value: undefined });
  await auth.client.switchOrganization('org_c');
  await auth.client.login({ organization: 'org_d' });
  expect(asked).toEqual([null, 'org_b', 'org_c', 'org_d']);
});

test('a window may ask for a sign-in of now and a language, as the main process may', async () => {
  let asked = new URLSearchParams();
  browse = (url) => {
    asked = new URLSearchParams([...server.asked(url)]);
    return fetch(server.allow(url));
  };
  server.age = 0;
  const options: Parameters<SvcBridge['login']>[0] = { maxAge: 0, uiLocales: 'de' };
  expect(await window().ask('login', options)).toEqual({ value: undefined });
  expect([asked.get('max_age'), asked.get('ui_locales')]).toEqual(['0', 'de']);
});

test('a browser that does not open has an error of its own, and the next attempt may succeed', async () => {
  browse = () => {
    throw new Error('no application is set for this address');
  };
  const { ask } = window();
  expect(await ask('login')).toEqual({ error: 'browser_unavailable' });
  browse = (url) => fetch(server.allow(url));
  expect(await ask('login')).toEqual({ value: undefined });
});

test('the session outlives the application, encrypted', async () => {
  await auth.login();
  expect((await readFile(join(folder, 'deep', 'session'))).toString()).not.toContain(CANARY);
  auth.dispose();
  auth = create();
  expect(await auth.client.ready()).toMatchObject({ status: 'signed-in', user: { name: 'Ada' } });
  await window().ask('logout');
  auth.dispose();
  auth = create();
  expect(await auth.client.ready()).toMatchObject({ status: 'signed-out' });
});

test('a sign-out is not overtaken by what is still being written, nor one session by another', async () => {
  const file = join(folder, 'turns', 'session');
  const storage = safeFile(file, { isEncryptionAvailable: () => true, encryptString: (text) => Buffer.from(text), decryptString: String });
  await Promise.all([storage.set('x', 'first'), storage.set('x', 'second')]);
  expect(await storage.get('x')).toBe('second');
  await Promise.all([storage.set('x', 'third'), storage.remove('x')]);
  expect(await storage.get('x')).toBeUndefined();
});

test('without a keychain nothing is written', async () => {
  backend = 'basic_text';
  await auth.login();
  expect(auth.client.getSnapshot()).toMatchObject({ status: 'signed-in', error: { code: 'storage_unavailable' } });
  await expect(readFile(join(folder, 'deep', 'session'))).rejects.toThrow();
});

test('a window that went elsewhere hears nothing of the session, until it is back', async () => {
  const { ask, sent, goTo } = window();
  await ask('state');
  const before = sent.length;
  goTo('https://evil.example/');
  await auth.login();
  expect(sent).toHaveLength(before);
  goTo('app://shop/index.html');
  await auth.client.logout();
  expect(sent.slice(before)).toMatchObject([['svc:changed', { status: 'signed-out' }]]);
});

test('of two attempts at once the second alone opens the browser', async () => {
  const opened: string[] = [];
  browse = async (url) => {
    opened.push(url);
    await fetch(server.allow(url));
  };
  const { ask } = window();
  const [first, second] = [ask('login'), ask('login')];
  expect(await first).toEqual({ error: 'cancelled' });
  expect(await second).toEqual({ value: undefined });
  expect(opened).toHaveLength(1);
  expect(auth.client.getSnapshot().status).toBe('signed-in');
});

test('an attempt that is overtaken before the service has answered opens no browser', async () => {
  const opened: string[] = [];
  browse = async (url) => {
    opened.push(url);
    await fetch(server.allow(url));
  };
  const first = window().ask('login');
  while (server.sent.length === 0) await new Promise((resolve) => setTimeout(resolve));
  const second = window().ask('login');
  expect(await first).toEqual({ error: 'cancelled' });
  expect(await second).toEqual({ value: undefined });
  expect(opened).toHaveLength(1);
});

test.each(['https://evil.example/', 'app://shop.evil/', 'file:///tmp/x', ''])('a window at %s gets nothing', async (url) => {
  await auth.login();
  for (const name of ['state', 'login', 'logout', 'organization']) expect(await window(url).ask(name)).toEqual({ error: 'forbidden' });
  expect(auth.client.getSnapshot().status).toBe('signed-in');
});

test('the port answers its callback and nothing else', async () => {
  const statuses: number[] = [];
  browse = async (url) => {
    const back = new URL(server.allow(url));
    statuses.push((await fetch(new URL('/other', back))).status);
    // Any page in the browser can send this.
    statuses.push((await fetch(`${back.origin}//`)).status);
    statuses.push((await fetch(back, { method: 'POST' })).status);
    statuses.push((await fetch(new URL('/callback', back))).status);
    statuses.push((await fetch(back)).status);
  };
  await auth.login();
  expect(statuses).toEqual([404, 404, 404, 400, 200]);
});

test('a second attempt ends the first, and a refusal is told by its code', async () => {
  browse = async () => {};
  const first = window().ask('login');
  await new Promise((resolve) => setTimeout(resolve, 100));
  browse = (url) => fetch(server.refuse(url));
  const second = window().ask('login');
  expect(await first).toEqual({ error: 'cancelled' });
  expect(await second).toEqual({ error: 'access_denied' });
});
