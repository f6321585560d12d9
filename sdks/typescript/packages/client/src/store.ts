// The session of a client: kept in its storage, shown to pages, and one for all tabs.
import { type SvcError, wrapped } from './errors.js';
import { type Session, sessionOf, stateOf } from './session.js';
import type { SessionStorage } from './storage.js';
import type { Tabs } from './tabs.js';
import type { SessionState } from './types.js';

export interface Store {
  readonly session: Session | undefined;
  /** What pages see. */
  readonly state: SessionState;
  subscribe(listener: () => void): () => void;
  /** Reads what is kept and asks the other tabs, once. */
  load(): Promise<void>;
  /** Keeps a session, shows it, and tells the other tabs. */
  keep(next: Session | undefined, error?: SvcError | null): Promise<void>;
  /** Brings the session up to what another tab did meanwhile. */
  catchUp(): Promise<void>;
}

/** Nothing is read or listened to before `load()`. */
export function createStore(name: string, storage: SessionStorage, others: Tabs): Store {
  const listeners = new Set<() => void>();
  let session: Session | undefined;
  let state = stateOf(undefined, 'loading');
  let isKept = true;
  /** When the last sign-out was: what is older does not come back. */
  let left = 0;
  let loaded: Promise<void> | undefined;

  function load(): Promise<void> {
    loaded ??= (async () => {
      listen();
      let error: SvcError | null = null;
      try {
        const found = await kept();
        // Another tab may have sent a newer one meanwhile.
        session ??= found;
      } catch (reason) {
        isKept = false;
        error = wrapped(reason);
      }
      if (!session) await catchUp().catch(() => {});
      if (state.status === 'loading') show(session, error);
    })();
    return loaded;
  }

  function listen(): void {
    others.hear((message) => {
      if (message.t === 'ask' && session && session.rev > message.rev) tell(session.rev);
      // A tab with another version of this package may keep something else.
      const next = sessionOf(message.s);
      if (message.t === 'set' && (message.s ? next && message.rev > (session?.rev ?? left) : session && message.rev >= session.rev)) {
        if (!message.s) left = message.rev;
        isKept = message.k;
        show(next);
        if (!storage.isShared) persist().catch(() => {});
      }
    });
  }

  function tell(rev: number): void {
    others.tell({ t: 'set', s: JSON.stringify(session), rev, k: isKept });
  }

  async function keep(next: Session | undefined, error: SvcError | null = null): Promise<void> {
    const rev = Math.max(Date.now(), (session?.rev ?? left) + 1);
    if (next) next.rev = rev;
    else left = rev;
    session = next;
    await persist().catch((reason: unknown) => {
      error ??= wrapped(reason);
      // What is older has a refresh token that is spent: it must not come back with a reload.
      return storage.remove(name);
    }).catch(() => {});
    show(next, error);
    tell(rev);
  }

  async function catchUp(): Promise<void> {
    if (storage.isShared && isKept) {
      const found = await kept();
      if (found?.rev !== session?.rev) show(found);
    } else {
      const before = session;
      const answer = others.within(100, () => session !== before);
      others.tell({ t: 'ask', rev: session?.rev ?? 0 });
      await answer;
    }
  }

  function show(next: Session | undefined, error: SvcError | null = null): void {
    session = next;
    state = stateOf(next, next ? 'signed-in' : 'signed-out', error);
    listeners.forEach((listener) => listener());
  }

  async function persist(): Promise<void> {
    isKept = false;
    await (session ? storage.set(name, JSON.stringify(session)) : storage.remove(name));
    isKept = true;
  }

  /** What is kept, if it is a session. What is damaged, or of another version, would be there at every start: it goes. */
  async function kept(): Promise<Session | undefined> {
    const text = await storage.get(name);
    const found = sessionOf(text);
    if (text && !found) await storage.remove(name);
    return found;
  }

  return {
    get session() {
      return session;
    },
    get state() {
      return state;
    },
    subscribe(listener) {
      listeners.add(listener);
      void load();
      return () => void listeners.delete(listener);
    },
    load,
    keep,
    catchUp,
  };
}
