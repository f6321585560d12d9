import type { EndedSessions, ReplayStore } from '@svc/next/server';

/** What is used of a client for Redis. */
interface Redis {
  get(key: string): Promise<string | null>;
  set(key: string, value: string, options: { NX?: true; EX: number }): Promise<string | null>;
}

export const replaysIn = (redis: Redis): ReplayStore => ({
  // One atomic step.
  add: async (mark, seconds) => (await redis.set(mark, '1', { NX: true, EX: seconds })) !== null,
});

export const endedSessionsIn = (redis: Redis): EndedSessions => ({
  async end({ sid, sub, at, until }) {
    const key = sid ? `sid ${sid}` : `sub ${sub}`;
    // A notice that comes late takes nothing back of one that was made after it.
    const last = Math.max(at, Number(await redis.get(key)));
    await redis.set(key, String(last), { EX: Math.max(1, Math.ceil(until - at)) });
  },
  // A session has ended where it began no later than what is kept for its `sid`, or for its `sub`.
  async hasEnded({ sid, sub, since }) {
    const kept = await Promise.all([`sid ${sid}`, `sub ${sub}`].map((key) => redis.get(key)));
    return kept.some((at) => at !== null && since <= Number(at));
  },
});
