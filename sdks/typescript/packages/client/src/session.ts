// What is kept of a sign-in, and what pages see of it.
import type { TokenEndpointResponse } from 'oauth4webapi';
import type { SvcError } from './errors.js';
import type { Organization, SessionState, User } from './types.js';

/** What was issued for one API. `tokens` are by their scopes; '' is everything that was granted. */
export interface Grant {
  refresh: string | undefined;
  scope: string;
  tokens: Record<string, { token: string; exp: number }>;
}

/** What is kept. Of two, the one with the higher `rev` counts. */
export interface Session {
  rev: number;
  user: User;
  idToken: string;
  /** The API of the first sign-in. */
  main: string;
  grants: Record<string, Grant>;
}

/** What `login()` leaves for `handleCallback()`. */
export interface Transaction {
  nonce: string;
  verifier: string;
  returnTo: string;
  scope: string;
  resource: string;
  acr: readonly string[];
  /** When the person has to have signed in, at the latest, in seconds since 1970: consent may take its time. */
  since: number | undefined;
}

/** The claims of an ID token that say nothing about the person. */
const TECHNICAL = ['iss', 'aud', 'exp', 'iat', 'nonce', 'at_hash', 'azp', 'nbf', 'jti'];

/** The claims that say something about the person. */
export function aboutPerson(claims: Record<string, unknown>): User {
  const user = { ...claims };
  for (const claim of TECHNICAL) delete user[claim];
  return user as User;
}

/** What an answer of the token endpoint grants, after what was granted before. `part` are the scopes that a token was asked for with. */
export function granted(answer: TokenEndpointResponse, asked: string, before: Grant | undefined, part = ''): Grant {
  const scope = answer.scope ?? asked;
  const token = { token: answer.access_token, exp: Date.now() + (answer.expires_in ?? 300) * 1000 };
  return {
    refresh: answer.refresh_token ?? before?.refresh,
    scope: part ? (before?.scope ?? scope) : scope,
    tokens: { ...(part && before?.tokens), [part]: token },
  };
}

/** The session that was kept, or sent by another tab, as this text; none if there is no text, or it is anything else. */
export function sessionOf(text: string | null | undefined): Session | undefined {
  try {
    const session = JSON.parse(text as string) as Session;
    const isGrant = ({ scope, tokens }: Grant): unknown => scope.split(' ') && tokens;
    return session.rev > 0 && session.user.sub && Object.values(session.grants).every(isGrant) ? session : undefined;
  } catch {
    return undefined;
  }
}

/** What pages see. */
export function stateOf(session: Session | undefined, status: SessionState['status'], error: SvcError | null = null): SessionState {
  const user = session?.user ?? null;
  return {
    status,
    user,
    organization: (user?.org as Organization | undefined) ?? null,
    scopes: session?.grants[session.main]?.scope.split(' ') ?? [],
    acr: (user?.acr as string | undefined) ?? null,
    error,
  };
}
