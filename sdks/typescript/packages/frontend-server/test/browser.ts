// A browser's side of the packages for frameworks: its cookies, and a sign-in by the routes of an application.
import { type AuthOptions, MemoryEndedSessions, MemoryReplayStore } from '../src/index.js';
import { CANARIES, CLIENT, ISSUER, type Issuer } from './issuer.js';

export const HOME = 'https://app.example';
const now = () => Math.floor(Date.now() / 1_000);

/** An application of its own at this issuer. */
export function optionsOf(issuer: Issuer): AuthOptions {
  return {
    issuer: ISSUER,
    clientId: CLIENT,
    clientSecret: CANARIES.clientSecret,
    redirectUri: `${HOME}/auth/callback`,
    cookieSecrets: 'x'.repeat(32),
    scopes: ['openid', 'offline_access'],
    endedSessions: new MemoryEndedSessions(),
    replays: new MemoryReplayStore(),
    fetch: issuer.fetch,
  };
}

export class Browser {
  readonly jar = new Map<string, string>();

  get cookie(): string {
    return [...this.jar].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  keep(headers: Headers): void {
    for (const line of headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line)!;
      if (/Max-Age=0\b/i.test(line)) this.jar.delete(name);
      else this.jar.set(name, value);
    }
  }

  request(path: string, init: RequestInit = {}): Request {
    return new Request(`${HOME}${path}`, { ...init, headers: { cookie: this.cookie, accept: 'text/html', ...init.headers } });
  }

  /** A form of this site, or of another. */
  form(path: string, body: Record<string, string>, origin = HOME): Request {
    return this.request(path, { method: 'POST', body: new URLSearchParams(body), headers: { origin } });
  }

  /** Signs Ada in by the routes; `more` is in the answer with the tokens. */
  async signIn(issuer: Issuer, ask: (request: Request) => Promise<Response>, more: Record<string, unknown> = {}): Promise<Response> {
    const begun = await ask(this.request('/auth/login?returnTo=/orders'));
    this.keep(begun.headers);
    const { searchParams } = new URL(begun.headers.get('location')!);
    const [state, nonce] = [searchParams.get('state')!, searchParams.get('nonce')!];
    tell(issuer, { nonce }, more);
    const back = await ask(this.request(`/auth/callback?code=${CANARIES.code}&state=${state}&iss=${encodeURIComponent(ISSUER)}`));
    this.keep(back.headers);
    return back;
  }
}

/** What the issuer answers with tokens from now on. */
export function tell(issuer: Issuer, claims: Record<string, unknown> = {}, more: Record<string, unknown> = {}): void {
  const usual = { iss: ISSUER, aud: CLIENT, sub: 'ada', sid: 's-1' };
  issuer.serveTokens(() => ({ ...usual, iat: now(), exp: now() + 300, ...claims }), { refresh_token: CANARIES.refresh, ...more });
}

/** The service's notice that Ada's session has ended there. */
export async function notice(issuer: Issuer): Promise<Request> {
  const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
  const claims = { iss: ISSUER, aud: CLIENT, iat: now(), exp: now() + 120, jti: `j-${Math.random()}`, sub: 'ada', sid: 's-1', events };
  const body = new URLSearchParams({ logout_token: await issuer.sign(claims, { typ: 'logout+jwt' }) });
  return new Request(`${HOME}/auth/backchannel-logout`, { method: 'POST', body });
}
