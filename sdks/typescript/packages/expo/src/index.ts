/** Sign-in with svc for Expo. The modules of Expo are passed in: `createExpoClient({ WebBrowser, SecureStore, Crypto, … })`. */
import { type Client, type ClientOptions, type SessionStorage, SvcError, createClient } from '@svc/client';

/** The part of `expo-web-browser` that this package uses. */
export interface WebBrowser {
  openAuthSessionAsync(
    url: string, redirectUrl?: string | null, options?: { preferEphemeralSession?: boolean; preferUniversalLinks?: boolean },
  ): Promise<{ type: string; url?: string }>;
}

/** The part of `expo-secure-store` that this package uses. */
export interface SecureStore {
  getItemAsync(key: string): Promise<string | null>;
  setItemAsync(key: string, value: string): Promise<void>;
  deleteItemAsync(key: string): Promise<void>;
}

/** The part of `expo-crypto` that this package uses. */
export interface ExpoCrypto {
  getRandomValues(array: never): unknown;
  digest(algorithm: never, data: BufferSource): Promise<ArrayBuffer>;
}

export interface ExpoOptions extends Omit<ClientOptions, 'open' | 'navigate' | 'storage' | 'tabs'> {
  WebBrowser: WebBrowser;
  SecureStore: SecureStore;
  /** Needed where the runtime has no `crypto.subtle`, as Hermes has not. */
  Crypto?: ExpoCrypto;
  /** Signs in without the cookies of the browser. */
  isEphemeral?: boolean;
}

/** A client of a native application. `redirectUri` is a universal link (`https://shop.example/callback`) or has a private scheme. */
export function createExpoClient({ WebBrowser, SecureStore, Crypto, isEphemeral = false, ...options }: ExpoOptions): Client {
  if (Crypto) provideCrypto(Crypto);
  return createClient({
    ...options,
    storage: secureStorage(SecureStore),
    tabs: false,
    async open(url) {
      const { redirectUri } = options.oauth;
      // iOS would take `https` for a private scheme, and wait for it without end.
      const preferUniversalLinks = redirectUri.startsWith('https:');
      const session = WebBrowser.openAuthSessionAsync(url, redirectUri, { preferEphemeralSession: isEphemeral, preferUniversalLinks });
      // No browser on the phone, or one that is open for another sign-in.
      const { type, url: back } = await session.catch(() => {
        throw new SvcError('browser_unavailable');
      });
      if (type !== 'success' || !back) throw new SvcError('cancelled');
      return back;
    },
  });
}

/** The part of Web Crypto that sign-in needs, by `expo-crypto`. What is there already stays. */
export function provideCrypto(expo: ExpoCrypto): void {
  const found = globalThis.crypto as Partial<Crypto> | undefined;
  if (found?.subtle) return;
  const add = (to: object, name: string, value: unknown): void => void Object.defineProperty(to, name, { configurable: true, value });
  // Other packages use what theirs put there, such as `randomUUID`.
  const crypto = found ?? {};
  if (!found) add(globalThis, 'crypto', crypto);
  if (!found?.getRandomValues) add(crypto, 'getRandomValues', <T extends ArrayBufferView>(array: T): T => expo.getRandomValues(array as never) as T);
  add(crypto, 'subtle', {
    digest: (algorithm: string | { name: string }, data: BufferSource) => expo.digest((typeof algorithm === 'string' ? algorithm : algorithm.name) as never, data),
  });
}

/** What fits in one entry of every keychain, in characters of ASCII. */
const PART = 1800;

/** `expo-secure-store` as a storage. Long values are divided; the number of parts is written last, so that half a value is none. */
export function secureStorage(store: SecureStore): SessionStorage {
  const key = (name: string): string => name.replace(/[^\w.-]/g, '_');
  // One after the other: a sign-out does not overtake what is still being written, which would come back.
  let last: Promise<unknown> = Promise.resolve();
  const guarded = <T>(act: () => Promise<T>): Promise<T> => {
    const done = last.then(act).catch(() => {
      throw new SvcError('storage_unavailable');
    });
    last = done.catch(() => {});
    return done;
  };
  const remove = async (name: string): Promise<void> => {
    const count = Number(await store.getItemAsync(key(name)));
    await store.deleteItemAsync(key(name));
    for (let n = 0; n < count; n += 1) await store.deleteItemAsync(`${key(name)}.${n}`);
  };
  return {
    get: (name) => guarded(async () => {
      const count = Number(await store.getItemAsync(key(name)));
      const parts: string[] = [];
      for (let n = 0; n < count; n += 1) {
        const part = await store.getItemAsync(`${key(name)}.${n}`);
        if (part === null) return undefined;
        parts.push(part);
      }
      return count > 0 ? decodeURIComponent(parts.join('')) : undefined;
    }),
    set: (name, value) => guarded(async () => {
      await remove(name);
      const parts = encodeURIComponent(value).match(new RegExp(`.{1,${PART}}`, 'gs')) ?? [];
      for (const [n, part] of parts.entries()) await store.setItemAsync(`${key(name)}.${n}`, part);
      await store.setItemAsync(key(name), String(parts.length));
    }),
    remove: (name) => guarded(() => remove(name)),
  };
}
