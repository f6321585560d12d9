// Where a session is kept between page loads.
import { SvcError } from './errors.js';

/** A place for texts by name. `isShared` says that all tabs of the origin see the same. */
export interface SessionStorage {
  readonly isShared?: boolean;
  get(name: string): Promise<string | null | undefined> | string | null | undefined;
  set(name: string, value: string): Promise<void> | void;
  remove(name: string): Promise<void> | void;
}

/** `memory` is the default; the others survive a reload, and what each risks is in the documentation. */
export type StorageKind = 'memory' | 'session' | 'local' | 'indexeddb';

/** `sessionStorage` or `localStorage`. Both may be blocked altogether, so that even their mention throws. */
export function webStorage(kind: 'session' | 'local'): SessionStorage {
  const place = (): Storage => {
    try {
      const found = kind === 'local' ? globalThis.localStorage : globalThis.sessionStorage;
      if (found) return found;
    } catch {
      // Blocked by the browser's settings.
    }
    throw new SvcError('storage_unavailable');
  };
  return {
    isShared: kind === 'local',
    get: (name) => place().getItem(name),
    set(name, value) {
      try {
        place().setItem(name, value);
      } catch {
        throw new SvcError('storage_unavailable');
      }
    },
    remove: (name) => place().removeItem(name),
  };
}

/** A place in this page alone. */
export function memoryStorage(): SessionStorage {
  const kept = new Map<string, string>();
  return {
    get: (name) => kept.get(name),
    set: (name, value) => void kept.set(name, value),
    remove: (name) => void kept.delete(name),
  };
}

/** A shared place whose code is loaded when it is first used. */
function lazyStorage(load: () => Promise<SessionStorage>): SessionStorage {
  let loaded: Promise<SessionStorage> | undefined;
  const use = <T>(act: (place: SessionStorage) => T): Promise<Awaited<T>> =>
    (loaded ??= load()).then(act).catch(() => {
      throw new SvcError('storage_unavailable');
    }) as Promise<Awaited<T>>;
  return {
    isShared: true,
    get: (name) => use((place) => place.get(name)),
    set: (name, value) => use((place) => place.set(name, value)),
    remove: (name) => use((place) => place.remove(name)),
  };
}

/** The storage that was asked for. */
export function storageOf(kind: StorageKind | SessionStorage = 'memory'): SessionStorage {
  if (typeof kind !== 'string') return kind;
  return kind === 'memory' ? memoryStorage() : kind === 'indexeddb' ? lazyStorage(() => import('./encrypted.js').then((module) => module.encryptedStorage())) : webStorage(kind);
}
