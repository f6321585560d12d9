// An authorization server in memory: codes, refresh tokens that rotate with a grace, and a record of everything that was sent.
import { createHash, randomUUID } from 'node:crypto';

export const ISSUER = 'https://id.example';
export const CLIENT = 'app_1';
export const REDIRECT = 'https://shop.example/callback';
/** Part of every secret, so that a test finds them wherever they leak to. */
export const CANARY = 'CANARY';

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

export class Server {
  constructor(private readonly issuer = ISSUER, readonly client: string = CLIENT) {}

  readonly sent: { url: string; body: URLSearchParams; headers: Headers }[] = [];
  readonly codes = new Map<string, URLSearchParams>();
  readonly live = new Map<string, URLSearchParams>();
  /** Runs before an answer; what it returns or throws is the answer instead. */
  before: (path: string, body: URLSearchParams) => Response | undefined | void = () => {};
  /** Runs after the work was done and before it is answered. */
  after: (path: string) => void = () => {};
  acr = 'urn:svc:aal1';
  /** How many seconds ago the person signed in; without it no token says so. */
  age: number | undefined;
  sub = 'usr_1';
  /** Whether an answer has a refresh token. */
  renews = true;
  expiresIn = 300;
  private readonly spent = new Map<string, string>();
  private readonly pushed = new Map<string, URLSearchParams>();

  readonly fetch = (async (input: string | URL, init: RequestInit = {}): Promise<Response> => {
    await new Promise((resolve) => setTimeout(resolve, 1));
    const url = new URL(input);
    const body = new URLSearchParams(String(init.body ?? ''));
    this.sent.push({ url: url.href, body, headers: new Headers(init.headers) });
    const other = this.before(url.pathname, body);
    if (other) return other;
    const answer = this.answer(url, body);
    this.after(url.pathname);
    return answer;
  }) as typeof fetch;

  refreshes(): number {
    return this.sent.filter(({ body }) => body.get('grant_type') === 'refresh_token').length;
  }

  /** What a person's browser brings back from an address. */
  allow(address: string): string {
    const given = new URL(address).searchParams;
    const asked = this.pushed.get(given.get('request_uri') ?? '') ?? given;
    const code = `code-${CANARY}-${randomUUID()}`;
    this.codes.set(code, asked);
    const back = new URL(asked.get('redirect_uri') as string);
    back.search = String(new URLSearchParams({ code, state: asked.get('state') as string, iss: this.issuer }));
    return back.href;
  }

  refuse(address: string, error = 'access_denied'): string {
    const back = new URL(this.allow(address));
    back.searchParams.delete('code');
    back.searchParams.set('error', error);
    return back.href;
  }

  asked(address: string): URLSearchParams {
    return this.pushed.get(new URL(address).searchParams.get('request_uri') ?? '') ?? new URL(address).searchParams;
  }

  private answer(url: URL, body: URLSearchParams): Response {
    switch (url.pathname) {
      case '/.well-known/openid-configuration':
        return json({
          issuer: this.issuer,
          authorization_endpoint: `${this.issuer}/oauth/authorize`,
          token_endpoint: `${this.issuer}/oauth/token`,
          jwks_uri: `${this.issuer}/jwks`,
          pushed_authorization_request_endpoint: `${this.issuer}/oauth/par`,
          revocation_endpoint: `${this.issuer}/oauth/revoke`,
          end_session_endpoint: `${this.issuer}/oauth/end-session`,
          authorization_response_iss_parameter_supported: true,
        });
      case '/oauth/par': {
        const request_uri = `urn:${randomUUID()}`;
        this.pushed.set(request_uri, body);
        return json({ request_uri, expires_in: 60 }, 201);
      }
      case '/oauth/token':
        return body.get('grant_type') === 'refresh_token' ? this.refresh(body) : this.exchange(body);
      default:
        return json({});
    }
  }

  private exchange(body: URLSearchParams): Response {
    const asked = this.codes.get(body.get('code') ?? '');
    this.codes.delete(body.get('code') ?? '');
    const challenge = createHash('sha256').update(body.get('code_verifier') ?? '').digest('base64url');
    if (!asked || asked.get('code_challenge') !== challenge) return json({ error: 'invalid_grant' }, 400);
    return this.issue(asked, asked.get('nonce') ?? undefined);
  }

  private refresh(body: URLSearchParams): Response {
    const old = body.get('refresh_token') ?? '';
    const again = this.spent.get(old);
    const asked = this.live.get(again ?? old);
    if (!asked) return json({ error: 'invalid_grant' }, 400);
    if (again) return this.issue(asked, undefined, again);
    this.live.delete(old);
    const answer = this.issue(asked, undefined, `refresh-${CANARY}-${randomUUID()}`, body.get('scope') ?? undefined);
    this.spent.set(old, this.newest);
    return answer;
  }

  private newest = '';

  private issue(asked: URLSearchParams, nonce?: string, refresh = `refresh-${CANARY}-${randomUUID()}`, scope = asked.get('scope')): Response {
    this.live.set(refresh, asked);
    this.newest = refresh;
    const now = Math.floor(Date.now() / 1000);
    const claims = { iss: this.issuer, aud: this.client, sub: this.sub, name: 'Ada', acr: this.acr, auth_time: this.age === undefined ? undefined : now - this.age, iat: now, exp: now + 300, nonce };
    return json({
      access_token: `access-${CANARY}-${randomUUID()}`,
      token_type: 'Bearer',
      expires_in: this.expiresIn,
      scope,
      refresh_token: this.renews ? refresh : undefined,
      id_token: `${encode({ alg: 'RS256', kid: CANARY })}.${encode(claims)}.${Buffer.from(CANARY).toString('base64url')}`,
    });
  }
}

export function json(value: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(value), { status, headers: { 'content-type': 'application/json', 'x-request-id': 'req_1', ...headers } });
}
