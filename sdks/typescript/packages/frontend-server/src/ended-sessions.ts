// Sessions that ended before their cookies did: a cookie cannot be called back, so what it names is remembered here.

/** What identifies a session of a person. */
export interface SessionName {
  /** Of the ID token. */
  sid?: string | undefined;
  sub: string;
  /** When the cookie's session began, Unix time in seconds with fractions. */
  since: number;
}

/** Where ended sessions are kept. Several processes need one that all of them see, such as a table or Redis. */
export interface EndedSessions {
  /** Remembers until `until` (Unix time in seconds) that `sid`, or without one every session of `sub` so far, has ended. */
  end(ended: { sid?: string | undefined; sub?: string | undefined; at: number; until: number }): void | Promise<void>;
  hasEnded(session: SessionName): boolean | Promise<boolean>;
}

/** Ended sessions in the memory of one process: a restart forgets them. */
export class MemoryEndedSessions implements EndedSessions {
  readonly #ended = new Map<string, { at: number; until: number }>();
  #sweptAt = 0;

  end({ sid, sub, at, until }: { sid?: string | undefined; sub?: string | undefined; at: number; until: number }): void {
    const name = sid ? `sid ${sid}` : sub ? `sub ${sub}` : undefined;
    if (!name) return;
    if (at - this.#sweptAt > 60) {
      this.#sweptAt = at;
      for (const [one, ended] of this.#ended) if (ended.until <= at) this.#ended.delete(one);
    }
    // A notice that comes late takes nothing back of one that was made after it.
    const known = this.#ended.get(name);
    this.#ended.set(name, { at: Math.max(at, known?.at ?? at), until: Math.max(until, known?.until ?? until) });
  }

  hasEnded({ sid, sub, since }: SessionName): boolean {
    return [`sid ${sid}`, `sub ${sub}`].some((name) => since <= (this.#ended.get(name)?.at ?? Number.NEGATIVE_INFINITY));
  }
}
