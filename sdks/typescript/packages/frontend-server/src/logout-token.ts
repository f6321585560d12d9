// Logout tokens: how the service tells that a session has ended (OpenID Connect Back-Channel Logout §2.4, §2.6).
import type { Application } from './application.js';
import { digest } from './bytes.js';
import type { EndedSessions } from './ended-sessions.js';
import { AuthError } from './error.js';
import { type ReplayStore, isNew } from './replays.js';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
const OLDEST_SECS = 600;

/** Verifies a logout token and remembers what it ends for so many seconds. */
export async function takeLogoutToken(token: string, application: Application, ended: EndedSessions, replays: ReplayStore, longest: number): Promise<void> {
  const claims = await application.signed(token, 'logout+jwt');
  const { iss, aud, iat, exp, jti, sub, sid, events, nonce } = claims;
  const { leeway, options: { issuer, clientId } } = application;
  const now = Date.now() / 1_000;
  if (iss !== issuer) throw refuse('iss');
  if (aud !== clientId && !(Array.isArray(aud) && aud.includes(clientId))) throw refuse('aud');
  if (typeof iat !== 'number' || iat > now + leeway || iat < now - OLDEST_SECS) throw refuse('iat');
  if (typeof exp !== 'number' || exp <= now - leeway) throw refuse('exp');
  if (nonce !== undefined) throw refuse('nonce');
  if (typeof (events as Record<string, unknown> | null)?.[EVENT] !== 'object') throw refuse('events');
  if ((sid !== undefined && typeof sid !== 'string') || (sub !== undefined && typeof sub !== 'string') || (!sid && !sub)) throw refuse('sid');
  if (typeof jti !== 'string') throw refuse('jti');
  // A token that comes again ends what has ended already; it is no reason to have it sent once more. But where this fails below, the
  // service tries again with a token of the same `jti`, so that the token as a whole is what counts once.
  if (!(await isNew(replays, `logout:${await digest(token)}`, OLDEST_SECS + leeway, 'logout tokens'))) return;
  await ended.end({ sid, sub, at: sid ? now : iat, until: now + longest });
}

function refuse(claim: string): AuthError {
  return new AuthError('invalid_request', `The logout token was refused for its ${claim}.`, { status: 400 });
}
