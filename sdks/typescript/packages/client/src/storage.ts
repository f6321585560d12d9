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

/** `sessionStorage` or `localStorage`. Both may be full, or blocked altogether, so that even their mention throws. */
export function webStorage(kind: 'session' | 'local'): SessionStorage {
  const use = <T>(act: (place: Storage) => T): T => {
    try {
      return act(kind === 'local' ? localStorage : sessionStorage);
    } catch {
      throw new SvcError('storage_unavailable');
    }
  };
  return {
    isShared: kind === 'local',
    get: (name) => use((place) => place.getItem(name)),
    set: (name, value) => use((place) => place.setItem(name, value)),
    remove: (name) => use((place) => place.removeItem(name)),
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

/** IndexedDB, whose code is loaded when it is first used. */
function lazyStorage(): SessionStorage {
  let loaded: Promise<SessionStorage> | undefined;
  const use = <T>(act: (place: SessionStorage) => T): Promise<Awaited<T>> =>
    (loaded ??= import('./encrypted.js').then((module) => module.encryptedStorage())).then(act).catch(() => {
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
  return kind === 'memory' ? memoryStorage() : kind === 'indexeddb' ? lazyStorage() : webStorage(kind);
}
