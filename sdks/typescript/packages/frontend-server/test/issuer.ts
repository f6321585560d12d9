// An issuer in memory, which signs whatever a test wants and answers, or does not answer, as it is told.
import { SignJWT, exportJWK, generateKeyPair } from 'jose';

export const ISSUER = 'https://id.example';
export const AUDIENCE = 'https://api.example';
export const TENANT = 'tnt_1';
export const CLIENT = 'app_1';
/** What must not be seen in any error. */
export const CANARIES = { clientSecret: 'canary-client-secret', code: 'canary-code', refresh: 'canary-refresh-token' };

type Answer = (url: string, init: RequestInit) => Promise<Response> | Response;

export class Issuer {
  readonly asked: string[] = [];
  /** Instead of the usual answers, by path. */
  readonly answers = new Map<string, Answer>();
  #pair!: CryptoKeyPair;
  kid = 'key-1';

  static async make(): Promise<Issuer> {
    const issuer = new Issuer();
    await issuer.rotate('key-1');
    return issuer;
  }

  async rotate(kid: string): Promise<void> {
    this.kid = kid;
    this.#pair = (await generateKeyPair('ES256', { extractable: true })) as CryptoKeyPair;
  }

  async jwks(): Promise<{ keys: object[] }> {
    return { keys: [{ ...(await exportJWK(this.#pair.publicKey)), kid: this.kid, alg: 'ES256', use: 'sig' }] };
  }

  readonly fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const { pathname } = new URL(url);
    this.asked.push(pathname);
    const answer = this.answers.get(pathname);
    if (answer) return answer(url, init);
    if (pathname === '/.well-known/openid-configuration') {
      return Response.json({
        issuer: ISSUER,
        authorization_endpoint: `${ISSUER}/oauth/authorize`,
        token_endpoint: `${ISSUER}/oauth/token`,
        jwks_uri: `${ISSUER}/jwks`,
        revocation_endpoint: `${ISSUER}/oauth/revoke`,
        end_session_endpoint: `${ISSUER}/oauth/end-session`,
        authorization_response_iss_parameter_supported: true,
        id_token_signing_alg_values_supported: ['ES256'],
      });
    }
    if (pathname === '/jwks') return Response.json(await this.jwks());
    return new Response('{}', { status: 404 });
  };

  asks(path: string): number {
    return this.asked.filter((one) => one === path).length;
  }

  sign(claims: Record<string, unknown>, header: Record<string, unknown> = {}): Promise<string> {
    const protectedHeader = { alg: 'ES256', kid: this.kid, typ: 'at+jwt', ...header };
    return new SignJWT(claims).setProtectedHeader(protectedHeader).sign(this.#pair.privateKey);
  }

  accessToken(claims: Record<string, unknown> = {}, header: Record<string, unknown> = {}): Promise<string> {
    const now = Math.floor(Date.now() / 1_000);
    const usual = { iss: ISSUER, aud: AUDIENCE, sub: 'ada', client_id: CLIENT, tenant_id: TENANT, scope: 'notes:read', subject_type: 'human' };
    return this.sign({ ...usual, iat: now, nbf: now, exp: now + 900, ...claims }, header);
  }

  /** Answers token requests with these claims in the ID token. */
  serveTokens(claims: () => Record<string, unknown>, more: Record<string, unknown> = {}): void {
    this.answers.set('/oauth/token', async () => {
      const told = claims();
      const id_token = await this.sign(told, { typ: 'JWT' });
      const body = { access_token: await this.accessToken(), token_type: 'Bearer', expires_in: 900, scope: 'openid notes:read', id_token, ...more };
      return Response.json(body, { headers: { 'x-request-id': 'req-1', date: new Date(Number(told['iat']) * 1_000).toUTCString() } });
    });
  }
}
