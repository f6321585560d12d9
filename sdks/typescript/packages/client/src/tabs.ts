// What the tabs of one origin do together: one of them renews at a time, and all hear of it.

/** What one tab tells the others. */
export type Message =
  /** The session of this number as it is kept, or none after a sign-out; and whether storage has the same. */
  | { t: 'set'; s: string | undefined; rev: number; k: boolean }
  | { t: 'ask'; rev: number; s?: undefined }
  | { t: 'callback' | 'taken'; url: string; s?: undefined };

export interface Tabs {
  tell(message: Message): void;
  /** Runs alone among the tabs. */
  alone<T>(act: () => Promise<T>): Promise<T>;
  hear(listener: (message: Message) => unknown): () => void;
  /** Waits for a message that the listener takes; `false` if none came in time. */
  within(time: number, takes: (message: Message) => boolean): Promise<boolean>;
}

export function tabs(name: string, isAlone: boolean): Tabs {
  const listeners = new Set<(message: Message) => unknown>();
  let channel: BroadcastChannel | undefined;
  const open = (): BroadcastChannel | undefined => {
    if (isAlone || typeof BroadcastChannel === 'undefined') return undefined;
    if (!channel) {
      channel = new BroadcastChannel(name);
      channel.onmessage = ({ data }: MessageEvent<Message>) => listeners.forEach((listener) => listener(data));
    }
    return channel;
  };
  let queue: Promise<unknown> = Promise.resolve();
  const hear: Tabs['hear'] = (listener) => {
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
