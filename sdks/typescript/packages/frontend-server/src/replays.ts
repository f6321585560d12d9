// What counts once: a store of marks, each kept until it could not be used again anyway.

/** Remembers marks. One for several processes keeps them where all of them look, e.g. `SET mark 1 NX EX seconds` of Redis. */
export interface ReplayStore {
  /** Whether the mark is new; it is kept for so many seconds from now on. Must be one atomic step. */
  add(mark: string, seconds: number): boolean | Promise<boolean>;
}

/**
 * Marks in the memory of one process.
 *
 * INVARIANT: a mark is never forgotten before its time: a full store refuses new marks instead.
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
    if (now - this.#sweptAt > 10_000 || this.#until.size >= this.#most) {
      this.#sweptAt = now;
      for (const [one, until] of this.#until) if (until <= now) this.#until.delete(one);
    }
    if ((this.#until.get(mark) ?? 0) > now || this.#until.size >= this.#most) return false;
    this.#until.set(mark, now + seconds * 1_000);
    return true;
  }
}
