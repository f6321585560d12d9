// What the tabs of one origin do together: one of them renews at a time, and all hear of it.

/** What one tab tells the others. */
export type Message<S> =
  /** The session of this number, or none after a sign-out; and whether storage has the same. */
  | { t: 'set'; s: S | undefined; rev: number; k: boolean }
  | { t: 'ask'; rev: number }
  | { t: 'callback'; url: string }
  | { t: 'taken'; url: string };

export interface Tabs<S> {
  tell(message: Message<S>): void;
  /** Runs alone among the tabs. */
  alone<T>(act: () => Promise<T>): Promise<T>;
  hear(listener: (message: Message<S>) => unknown): () => void;
  /** Waits for a message that the listener takes; `false` if none came in time. */
  within(time: number, takes: (message: Message<S>) => boolean): Promise<boolean>;
}

export function tabs<S>(name: string, isAlone: boolean): Tabs<S> {
  const listeners = new Set<(message: Message<S>) => unknown>();
  let channel: BroadcastChannel | undefined;
  const open = (): BroadcastChannel | undefined => {
    if (isAlone || typeof BroadcastChannel === 'undefined') return undefined;
    if (!channel) {
      channel = new BroadcastChannel(name);
      channel.onmessage = ({ data }: MessageEvent<Message<S>>) => listeners.forEach((listener) => listener(data));
    }
    return channel;
  };
  let queue: Promise<unknown> = Promise.resolve();
  const hear: Tabs<S>['hear'] = (listener) => {
    open();
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  return {
    tell: (message) => open()?.postMessage(message),
    alone(act) {
      const locks = isAlone ? undefined : globalThis.navigator?.locks;
      const next = queue.then(() => (locks ? locks.request(name, act) : act()));
      queue = next.catch(() => {});
      return next as ReturnType<typeof act>;
    },
    hear,
    async within(time, takes) {
      if (!open()) return false;
      return new Promise((resolve) => {
        const done = (isTaken: boolean): void => {
          clearTimeout(timer);
          forget();
          resolve(isTaken);
        };
        const timer = setTimeout(done, time, false);
        const forget = hear((message) => takes(message) && done(true));
      });
    },
  };
}
