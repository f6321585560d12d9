// What counts once: a store of marks, each kept until it could not be used again anyway.
import { AuthError } from './error.js';

/** Remembers marks. One for several processes keeps them where all of them look, e.g. `SET mark 1 NX EX seconds` of Redis. */
export interface ReplayStore {
  /** Whether the mark is new; it is kept for so many seconds from now on. Must be one atomic step, and throws where it cannot tell. */
  add(mark: string, seconds: number): boolean | Promise<boolean>;
}

/** Whether a mark is new. A store that cannot tell lets nothing pass, and is no fault of the caller's. */
export async function isNew(replays: ReplayStore, mark: string, seconds: number, what: string): Promise<boolean> {
  try {
    return await replays.add(mark, seconds);
  } catch (error) {
    if (error instanceof AuthError) throw error;
    throw new AuthError('temporarily_unavailable', `The store of ${what} is out of reach.`, { status: 503 });
  }
}

/**
 * Marks in the memory of one process.
 *
 * INVARIANT: a mark is never forgotten before its time, and one that is new is never called known: a full store throws instead.
 */
export class MemoryReplayStore implements ReplayStore {
  readonly #until = new Map<string, number>();
  readonly #most: number;
  #sweptAt = 0;

  constructor(most = 100_000) {
    this.#most = most;
  }

  add(mark: string, seconds: number): boolean {
    const now = performance.now();
    const age = now - this.#sweptAt;
    // A full store is swept once a second, not by each request.
    if (age > 10_000 || (this.#until.size >= this.#most && age > 1_000)) {
      this.#sweptAt = now;
      for (const [one, until] of this.#until) if (until <= now) this.#until.delete(one);
    }
    if ((this.#until.get(mark) ?? 0) > now) return false;
    if (this.#until.size >= this.#most && !this.#until.has(mark)) {
      throw new AuthError('temporarily_unavailable', 'The store of what counts once is full.', { status: 503 });
    }
    this.#until.set(mark, now + seconds * 1_000);
    return true;
  }
}
