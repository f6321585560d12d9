// The session of a browser with the application: sealed in its cookies, renewed by one request for all that need it.
import { type Application, type Tokens } from './application.js';
import { digest } from './bytes.js';
import { type CookieChange, type Cookies, parseCookies } from './cookies.js';
import type { EndedSessions } from './ended-sessions.js';
import { AuthError } from './error.js';
import type { Sealing } from './sealing.js';
import { shared } from './shared.js';

/** Who is signed in. It has no tokens, so that it may be handed to pages. */
export interface Session {
  /** Durable together with the tenant. */
  sub: string;
  /** The session at the service. */
  sid?: string | undefined;
  /** Of the ID token: `name`, `email`, `org`, `acr` and others, as far as scopes and application say. */
  claims: Record<string, unknown>;
  /** Granted scopes. */
  scopes: string[];
  /** When the cookie ends, Unix time in seconds. */
  expiresAt: number;
}

/** What the cookie holds. Members have short names: cookies are small. */
export interface Kept {
  /** Claims. */
  c: Record<string, unknown>;
  /** Access token, and when it expires. */
  at: string;
  ax: number;
  /** Scope. */
  s: string;
  /** Refresh and ID token. */
  rt?: string | undefined;
  it?: string | undefined;
  /** When the session began and ends. */
  b: number;
  e: number;
  /** Digest of the `state` of the sign-in, and where it led: a callback that is opened again leads there too. */
  l?: { s: string; to: string };
}

/** What came of looking at a request's cookies, and the cookies to set. */
export interface Seen {
  kept: Kept | undefined;
  changes: CookieChange[];
  /** Why a renewal did not come about that leaves the session as it was. */
  failure?: AuthError | undefined;
}

/** What came of a renewal: the session as it is now, or none. */
interface Renewal {
  kept: Kept | undefined;
  failure?: AuthError;
}

const NAME = 'svc-session';
/** An access token that ends sooner is replaced. */
const AHEAD_SECS = 30;
/** How long the outcome of a renewal is at hand for requests that were sent with the cookies before it. */
const REMEMBERED_MS = 60_000;
/** The same for what could not be asked: in an outage a session asks once in a second, or as seldom as the service says. */
const REMEMBERED_FAILED_MS = 1_000;
/** Claims that say nothing about the person. */
const OF_THE_PROTOCOL = new Set(['nonce', 'at_hash', 'c_hash', 's_hash', 'aud', 'azp', 'exp', 'iat', 'nbf', 'jti']);

export class Sessions {
  readonly #application: Application;
  readonly #cookies: Cookies;
  readonly #sealing: Sealing;
  readonly #ended: EndedSessions;
  readonly #longest: number;
  readonly #renewals: Map<string, Promise<Renewal>>;

  constructor(application: Application, cookies: Cookies, sealing: Sealing, ended: EndedSessions, longest: number) {
    this.#application = application;
    this.#cookies = cookies;
    this.#sealing = sealing;
    this.#ended = ended;
    this.#longest = longest;
    const { issuer, clientId } = application.options;
    this.#renewals = shared(`renewals ${issuer} ${clientId}`, () => new Map());
  }

  /** What the cookies hold, if it is whole, ours, young enough and of a session that has not ended. */
  async read(field: string | null | undefined): Promise<Kept | undefined> {
    const sealed = this.#cookies.joined(parseCookies(field), NAME);
    const kept = (await this.#sealing.open('session', sealed)) as Kept | undefined;
    if (!kept || kept.e <= now()) return undefined;
    return (await this.#ended.hasEnded({ ...named(kept), since: kept.b })) ? undefined : kept;
  }

  /** The same, with a new access token where the old one ends. A session whose renewal is refused has ended. */
  async renewed(field: string | null | undefined, force = false): Promise<Seen> {
    const jar = parseCookies(field);
    const kept = await this.read(field);
    if (!kept) return { kept, changes: this.#cookies.removed(jar, NAME) };
    if (!kept.rt || (!force && kept.ax > now() + AHEAD_SECS)) return { kept, changes: [] };
    const { kept: next, failure } = await this.#renew(kept, kept.rt);
    if (failure) return { kept, changes: [], failure };
    return { kept: next, changes: next ? await this.written(jar, next) : this.#cookies.removed(jar, NAME) };
  }

  /** Whether the next renewal asks for tokens. */
  async endsSoon(field: string | null | undefined): Promise<boolean> {
    const kept = await this.read(field);
    return kept?.rt !== undefined && kept.ax <= now() + AHEAD_SECS;
  }

  /** A new session from the tokens of a sign-in. */
  started(tokens: Tokens, state: string, to: string): Promise<Kept> {
    const began = now();
    const kept: Kept = { ...this.#filled(tokens, {}), b: began, e: Math.floor(began + this.#longest) };
    return digest(state).then((s) => ({ ...kept, l: { s, to } }));
  }

  /** The cookies of a session. Without its ID token where it would be too long: sign-out then asks the person. */
  async written(jar: ReadonlyMap<string, string>, kept: Kept): Promise<CookieChange[]> {
    for (const value of [kept, { ...kept, it: undefined }]) {
      const sealed = await this.#sealing.seal('session', value, kept.e);
      const changes = this.#cookies.cut(jar, NAME, sealed, Math.max(1, Math.floor(kept.e - now())));
      if (changes) return changes;
    }
    throw new AuthError('session_too_large', 'The session does not fit into cookies: ask for fewer claims.', { status: 500 });
  }

  removed(field: string | null | undefined): CookieChange[] {
    return this.#cookies.removed(parseCookies(field), NAME);
  }

  /** Remembers that a session has ended, so that a copy of its cookies is of no use. */
  async end(kept: Kept): Promise<void> {
    const { sid, sub } = named(kept);
    if (sid) await this.#ended.end({ sid, sub, at: now(), until: kept.e });
  }

  /** INVARIANT: of requests with the same cookies one asks for tokens, and all get the same answer. */
  #renew(kept: Kept, refreshToken: string): Promise<Renewal> {
    // Refresh tokens of applications with a secret stay the same: what is renewed once more is another access token.
    const name = `${refreshToken} ${kept.at}`;
    const known = this.#renewals.get(name);
    if (known) return known;
    const renewal = this.#asked(kept, refreshToken);
    this.#renewals.set(name, renewal);
    const forget = () => this.#renewals.delete(name);
    renewal.then(({ failure }) => {
      const timer = setTimeout(forget, failure ? pauseOf(failure) : REMEMBERED_MS) as { unref?: () => void } | number;
      if (typeof timer === 'object') timer.unref?.();
    }, forget);
    return renewal;
  }

  async #asked(kept: Kept, refreshToken: string): Promise<Renewal> {
    try {
      const tokens = await this.#application.refresh(refreshToken);
      if (tokens.claims && tokens.claims.sub !== kept.c['sub']) return { kept: undefined };
      return { kept: { ...kept, ...this.#filled({ refreshToken, idToken: kept.it, ...defined(tokens) }, kept.c) } };
    } catch (error) {
      if (!(error instanceof AuthError)) throw error;
      if (error.code === 'invalid_grant') return { kept: undefined };
      // The service is away, or this application is set up wrongly: neither ends the session.
      return { kept, failure: error };
    }
  }

  #filled({ accessToken, expiresAt, scope, refreshToken, idToken, claims }: Tokens, before: Record<string, unknown>): Omit<Kept, 'b' | 'e'> {
    const told = Object.entries(claims ?? {}).filter(([name]) => !OF_THE_PROTOCOL.has(name));
    // Each ID token tells all there is: a role or another claim that it leaves out has been taken from the person.
    return { c: claims ? Object.fromEntries(told) : before, at: accessToken, ax: expiresAt, s: scope, rt: refreshToken, it: idToken };
  }
}

/** What pages may know of it. */
export function shown(kept: Kept | undefined): Session | null {
  if (!kept) return null;
  const { sid, sub } = named(kept);
  return { sub, sid, claims: kept.c, scopes: kept.s.split(' ').filter(Boolean), expiresAt: kept.e };
}

function named({ c }: Kept): { sid: string | undefined; sub: string } {
  return { sid: typeof c['sid'] === 'string' ? c['sid'] : undefined, sub: String(c['sub']) };
}

/** Both forms of `Retry-After` (RFC 9110 §10.2.3); a minute at most, since what is remembered is in memory. */
function pauseOf({ headers }: AuthError): number {
  const said = headers['retry-after'] ?? '';
  const wait = /^\d+$/.test(said) ? Number(said) * 1_000 : Date.parse(said) - Date.now();
  return Math.min(Math.max(wait || 0, REMEMBERED_FAILED_MS), REMEMBERED_MS);
}

function defined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as T;
}

function now(): number {
  return Date.now() / 1_000;
}
