import { createHash, webcrypto } from 'node:crypto';
import { afterEach, expect, expectTypeOf, test, vi } from 'vitest';
import { CLIENT, ISSUER, Server } from '../../client/test/server.js';
import { type ExpoCrypto, type ExpoOptions, type SecureStore, type WebBrowser, createExpoClient, provideCrypto, secureStorage } from '../src/index.js';

const REDIRECT = 'example.app:/callback';
afterEach(() => vi.unstubAllGlobals());

function keychain() {
  const kept = new Map<string, string>();
  return {
    kept,
    getItemAsync: async (key: string) => kept.get(key) ?? null,
    setItemAsync: async (key: string, value: string) => {
      if (!/^[\w.-]+$/.test(key) || value.length > 2048) throw new Error('refused');
      kept.set(key, value);
    },
    deleteItemAsync: async (key: string) => void kept.delete(key),
  };
}

function options(server: Server, extra: Partial<ExpoOptions> = {}): ExpoOptions {
  return {
    baseURL: ISSUER,
    oauth: { clientId: CLIENT, redirectUri: REDIRECT },
    fetch: server.fetch,
    SecureStore: keychain(),
    WebBrowser: { openAuthSessionAsync: async (url) => ({ type: 'success', url: server.allow(url) }) },
    ...extra,
  };
}

/** What this package uses, as the declarations of Expo's modules have it. */
interface Declared {
  WebBrowser: {
    openAuthSessionAsync: (
      url: string, redirectUrl?: string | null, options?: { preferEphemeralSession?: boolean; preferUniversalLinks?: boolean; toolbarColor?: string },
    ) => Promise<{ type: 'success'; url: string } | { type: 'cancel' | 'dismiss' | 'opened' | 'locked' }>;
  };
  SecureStore: {
    getItemAsync: (key: string, options?: { requireAuthentication?: boolean }) => Promise<string | null>;
    setItemAsync: (key: string, value: string, options?: { requireAuthentication?: boolean }) => Promise<void>;
    deleteItemAsync: (key: string, options?: { requireAuthentication?: boolean }) => Promise<void>;
  };
  Crypto: {
    getRandomValues: <T extends Int8Array | Int16Array | Int32Array | Uint8Array | Uint8ClampedArray | Uint16Array | Uint32Array>(typedArray: T) => T;
    digest: (algorithm: 'SHA-256' | 'SHA-384' | 'SHA-512', data: BufferSource) => Promise<ArrayBuffer>;
  };
}

test("a program in TypeScript passes Expo's own modules", () => {
  expectTypeOf<Declared>().toExtend<{ WebBrowser: WebBrowser; SecureStore: SecureStore; Crypto: ExpoCrypto }>();
});

test('a person signs in by a browser session, and the session is in the keychain', async () => {
  const server = new Server();
  const SecureStore = keychain();
  const openAuthSessionAsync = vi.fn(async (url: string) => ({ type: 'success', url: server.allow(url) }));
  const client = createExpoClient(options(server, { SecureStore, WebBrowser: { openAuthSessionAsync }, isEphemeral: true }));
  await client.login();
  expect(openAuthSessionAsync.mock.calls[0]).toMatchObject([expect.stringContaining(ISSUER), REDIRECT, { preferEphemeralSession: true }]);
  expect(await createExpoClient(options(server, { SecureStore })).ready()).toMatchObject({ status: 'signed-in', user: { name: 'Ada' } });
  await client.logout();
  expect(SecureStore.kept.size).toBe(0);
});

test.each<[string, boolean]>([[REDIRECT, false], ['https://shop.example/callback', true]])('iOS learns whether %s is a universal link', async (redirectUri, preferUniversalLinks) => {
  const server = new Server();
  const openAuthSessionAsync = vi.fn(async (url: string) => ({ type: 'success', url: server.allow(url) }));
  const client = createExpoClient(options(server, { oauth: { clientId: CLIENT, redirectUri }, WebBrowser: { openAuthSessionAsync } }));
  await client.login();
  expect(openAuthSessionAsync.mock.calls[0]).toMatchObject([expect.stringContaining(ISSUER), redirectUri, { preferUniversalLinks }]);
});

test('a person who closes the browser is told of as cancelled', async () => {
  const client = createExpoClient(options(new Server(), { WebBrowser: { openAuthSessionAsync: async () => ({ type: 'cancel' }) } }));
  await expect(client.login()).rejects.toMatchObject({ code: 'cancelled' });
});

test('a browser that does not open has an error of its own, and the next attempt may succeed', async () => {
  const server = new Server();
  const openAuthSessionAsync = vi.fn(async (url: string) => ({ type: 'success', url: server.allow(url) }));
  openAuthSessionAsync.mockRejectedValueOnce(new Error('Another web browser is already open'));
  const client = createExpoClient(options(server, { WebBrowser: { openAuthSessionAsync } }));
  await expect(client.login()).rejects.toMatchObject({ code: 'browser_unavailable' });
  await client.login();
  expect(client.getSnapshot().status).toBe('signed-in');
});

test('long values are divided, and half a value is none', async () => {
  const store = keychain();
  const storage = secureStorage(store);
  const value = 'ä🔑"'.repeat(3_000);
  await storage.set('svc:https://id.example:app_1', value);
  expect(await storage.get('svc:https://id.example:app_1')).toBe(value);
  await storage.set('svc:https://id.example:app_1', 'short');
  expect(store.kept.size).toBe(2);
  store.kept.delete('svc_https___id.example_app_1.0');
  expect(await storage.get('svc:https://id.example:app_1')).toBeUndefined();
  await expect(Promise.resolve(secureStorage({ ...store, getItemAsync: async () => { throw new Error('locked'); } }).get('x'))).rejects.toMatchObject({ code: 'storage_unavailable' });
});

test('a sign-out is not overtaken by what is still being written', async () => {
  const store = keychain();
  const storage = secureStorage(store);
  await Promise.all([storage.set('x', 'y'.repeat(4_000)), storage.remove('x')]);
  expect(store.kept.size).toBe(0);
});

const Crypto = {
  getRandomValues: <T extends ArrayBufferView>(array: T) => webcrypto.getRandomValues(array as never) as T,
  digest: async (_: never, data: BufferSource) => new Uint8Array(createHash('sha256').update(data as Uint8Array).digest()).buffer,
};

test('without Web Crypto and timeouts, as in Hermes, sign-in works by expo-crypto', async () => {
  vi.stubGlobal('crypto', undefined);
  vi.stubGlobal('AbortSignal', {});
  const client = createExpoClient(options(new Server(), { Crypto }));
  await client.login();
  expect(client.getSnapshot().status).toBe('signed-in');
  const before = globalThis.crypto;
  provideCrypto(Crypto);
  expect(globalThis.crypto).toBe(before);
});

test('what other packages put into crypto stays where the rest is added', async () => {
  const getRandomValues = vi.fn(Crypto.getRandomValues);
  vi.stubGlobal('crypto', { getRandomValues, randomUUID: () => 'made by another' });
  const client = createExpoClient(options(new Server(), { Crypto }));
  await client.login();
  expect(client.getSnapshot().status).toBe('signed-in');
  expect(getRandomValues).toHaveBeenCalled();
  expect(crypto.randomUUID()).toBe('made by another');
});
