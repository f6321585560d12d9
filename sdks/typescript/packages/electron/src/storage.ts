// A file that is encrypted by the keychain of the system.
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type SessionStorage, SvcError } from '@svc/client';

/** The part of Electron's `safeStorage` that this package uses. */
export interface SafeStorage {
  isEncryptionAvailable(): boolean;
  getSelectedStorageBackend?(): string;
  encryptString(text: string): Buffer;
  decryptString(sealed: Buffer): string;
}

export function safeFile(file: string, safe: SafeStorage): SessionStorage {
  const check = (): void => {
    // On Linux without a keychain the key is a constant: that is no encryption.
    if (!safe.isEncryptionAvailable() || safe.getSelectedStorageBackend?.() === 'basic_text') throw new SvcError('storage_unavailable');
  };
  // One after the other: a sign-out does not overtake what is still being written, which would come back.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(act: () => Promise<T>): Promise<T> => {
    const done = last.then(act);
    last = done.catch(() => {});
    return done;
  };
  return {
    get: () => inTurn(async () => {
      check();
      const sealed = await readFile(file).catch(() => undefined);
      try {
        return sealed && safe.decryptString(sealed);
      } catch {
        // Another user's, or another machine's.
        return undefined;
      }
    }),
    set: (_, value) => inTurn(async () => {
      check();
      try {
        await mkdir(dirname(file), { recursive: true });
        await writeFile(`${file}.new`, safe.encryptString(value), { mode: 0o600 });
        await rename(`${file}.new`, file);
      } catch {
        throw new SvcError('storage_unavailable');
      }
    }),
    remove: () => inTurn(() => rm(file, { force: true })),
  };
}
