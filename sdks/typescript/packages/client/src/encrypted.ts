// IndexedDB: keys that scripts can use but not read, and texts that are encrypted by one of them. Loaded when it is asked for.
import type { SessionStorage } from './storage.js';

/** Runs one request against our database of the origin. */
async function inDatabase<T>(act: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const settled = <R>(request: IDBRequest<R>): Promise<R> =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  const open = indexedDB.open('svc', 1);
  open.onupgradeneeded = () => void open.result.createObjectStore('kept');
  const database = await settled(open);
  try {
    const transaction = database.transaction('kept', 'readwrite');
    // A full disk may show only when all is written, after the request has succeeded.
    const written = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error);
    });
    const [result] = await Promise.all([settled(act(transaction.objectStore('kept'))), written]);
    return result;
  } finally {
    database.close();
  }
}

/** A key of the origin: the one that is kept there, else a new one. `add` decides between two tabs that make one at once. */
export async function keptKey<K extends CryptoKey | CryptoKeyPair>(name: string, make: () => Promise<K>): Promise<K> {
  const found = () => inDatabase((store) => store.get(name) as IDBRequest<K | undefined>);
  const kept = await found();
  if (kept) return kept;
  const made = await make();
  return inDatabase((store) => store.add(made, name)).then(() => made, async (reason) => {
    const other = await found();
    if (!other) throw reason;
    return other;
  });
}

/** IndexedDB with values that are encrypted by a key which scripts can use but not read. */
export function encryptedStorage(): SessionStorage {
  const key = () =>
    keptKey('key', () => crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']));
  // One after the other: a sign-out does not overtake what is still being encrypted, which would come back.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(act: () => Promise<T>): Promise<T> => {
    const done = last.then(act);
    last = done.catch(() => {});
    return done;
  };
  return {
    isShared: true,
    get: (name) => inTurn(async () => {
      const sealed = await inDatabase((store) => store.get(name) as IDBRequest<{ iv: Uint8Array<ArrayBuffer>; data: ArrayBuffer } | undefined>);
      if (!sealed) return undefined;
      try {
        const text = await crypto.subtle.decrypt({ name: 'AES-GCM', iv: sealed.iv }, await key(), sealed.data);
        return new TextDecoder().decode(text);
      } catch {
        return undefined;
      }
    }),
    set: (name, value) => inTurn(async () => {
      const iv = crypto.getRandomValues(new Uint8Array(12));
      const data = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, await key(), new TextEncoder().encode(value));
      await inDatabase((store) => store.put({ iv, data }, name));
    }),
    remove: (name) => inTurn(() => inDatabase((store) => store.delete(name))),
  };
}
