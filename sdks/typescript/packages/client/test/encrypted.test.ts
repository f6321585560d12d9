import { afterEach, expect, test, vi } from 'vitest';
import { encryptedStorage } from '../src/encrypted.js';

afterEach(() => vi.unstubAllGlobals());

/** As much of IndexedDB as the storage uses; a full disk is found out when a transaction ends, as in Chromium. */
function database(isFull = () => false): Map<string, unknown> {
  const kept = new Map<string, unknown>();
  const request = <T>(act: () => T) => {
    const made: { result?: T; error?: unknown; onsuccess?: () => void; onerror?: () => void } = {};
    setTimeout(() => {
      try {
        made.result = act();
        made.onsuccess?.();
      } catch (reason) {
        made.error = reason;
        made.onerror?.();
      }
    });
    return made;
  };
  const store = {
    get: (name: string) => request(() => kept.get(name)),
    add: (value: unknown, name: string) => request(() => {
      if (kept.has(name)) throw new Error('there is one');
      kept.set(name, value);
    }),
    put: (value: unknown, name: string) => request(() => void kept.set(name, value)),
    delete: (name: string) => request(() => void kept.delete(name)),
  };
  const transaction = () => {
    const before = new Map(kept);
    const made: { objectStore: () => typeof store; error?: Error; oncomplete?: () => void; onabort?: () => void } = { objectStore: () => store };
    // After the one request of it, which was made before.
    setTimeout(() => setTimeout(() => {
      const isChanged = kept.size !== before.size || [...kept].some(([name, value]) => before.get(name) !== value);
      if (!isChanged || !isFull()) return made.oncomplete?.();
      kept.clear();
      for (const [name, value] of before) kept.set(name, value);
      made.error = new Error('QuotaExceededError');
      made.onabort?.();
    }));
    return made;
  };
  vi.stubGlobal('indexedDB', { open: () => request(() => ({ close() {}, transaction })) });
  return kept;
}

test('what is kept is encrypted, and is read again', async () => {
  const kept = database();
  await encryptedStorage().set('x', 'CANARY');
  expect(await encryptedStorage().get('x')).toBe('CANARY');
  const { data } = kept.get('x') as { data: ArrayBuffer };
  expect(Buffer.from(data).toString('latin1')).not.toContain('CANARY');
});

test('a sign-out is not overtaken by what is still being encrypted, nor one session by another', async () => {
  const kept = database();
  const storage = encryptedStorage();
  await Promise.all([storage.set('x', 'long '.repeat(10_000)), storage.set('x', 'second')]);
  expect(await storage.get('x')).toBe('second');
  await Promise.all([storage.set('x', 'third'), storage.remove('x')]);
  expect(kept.has('x')).toBe(false);
});

test('what does not fit on the disk is not taken for kept', async () => {
  let isFull = false;
  database(() => isFull);
  const storage = encryptedStorage();
  await storage.set('x', 'first');
  isFull = true;
  await expect(storage.set('x', 'second')).rejects.toThrow('QuotaExceededError');
  expect(await storage.get('x')).toBe('first');
  isFull = false;
  await storage.set('x', 'third');
  expect(await storage.get('x')).toBe('third');
});
