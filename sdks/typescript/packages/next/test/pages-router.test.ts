// The Pages Router's side on Node's own requests and answers, and route handlers that are an API.
import { createHash } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SignJWT, calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiRequest, createAuthHandlers, requireAccessToken, requireAccessTokenInPages } from '../src/index.js';
import { AUDIENCE, CLIENT, ISSUER, Issuer, TENANT } from '../../frontend-server/test/issuer.js';

let issuer: Issuer;
let home: string;
let route: (request: IncomingMessage, reply: ServerResponse) => unknown;
const server = createServer(async (request, reply) => {
  // As Next.js does: forms come as objects.
  let text = '';
  for await (const part of request) text += part;
  const body = text && Object.fromEntries(new URLSearchParams(text));
  await route(Object.assign(request, { body }), reply);
});

beforeAll(async () => {
  issuer = await Issuer.make();
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  home = `http://localhost:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

const now = () => Math.floor(Date.now() / 1_000);
const handlers = () =>
  createAuthHandlers(() => ({
    issuer: ISSUER,
    clientId: CLIENT,
    clientSecret: 's',
    redirectUri: `${home}/api/auth/callback`,
    cookieSecrets: 'x'.repeat(32),
    scopes: ['openid'],
    fetch: issuer.fetch,
  }));

describe('pages', () => {
  test('sign in, know the session, and take notices of sign-outs', async () => {
    const { pages } = handlers();
    route = (request, reply) => pages.handler(request, reply);
    const begun = await fetch(`${home}/api/auth/login?returnTo=/orders`, { redirect: 'manual' });
    const { searchParams } = new URL(begun.headers.get('location')!);
    const [state, nonce] = [searchParams.get('state')!, searchParams.get('nonce')!];
    issuer.serveTokens(() => ({ iss: ISSUER, aud: CLIENT, sub: 'ada', sid: 's-pages', nonce, iat: now(), exp: now() + 300 }));
    const cookie = begun.headers.getSetCookie().map((line) => line.split(';')[0]).join('; ');
    const address = `${home}/api/auth/callback?code=c&state=${state}&iss=${encodeURIComponent(ISSUER)}`;
    const back = await fetch(address, { redirect: 'manual', headers: { cookie } });
    expect([back.status, back.headers.get('location')]).toEqual([302, `${home}/orders`]);
    const session = back.headers.getSetCookie().filter((line) => line.includes('session')).map((line) => line.split(';')[0]).join('; ');

    const seen = async () => {
      route = async (req, res) => res.end(JSON.stringify(await pages.auth({ req, res })));
      const known = await (await fetch(home, { headers: { cookie: session } })).json();
      route = (request, reply) => pages.handler(request, reply);
      return known;
    };
    expect(await seen()).toMatchObject({ sub: 'ada' });

    const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
    const claims = { iss: ISSUER, aud: CLIENT, iat: now(), exp: now() + 120, jti: 'j-1', sub: 'ada', sid: 's-pages', events };
    const body = new URLSearchParams({ logout_token: await issuer.sign(claims, { typ: 'logout+jwt' }) });
    expect((await fetch(`${home}/api/auth/backchannel-logout`, { method: 'POST', body })).status).toBe(200);
    expect(await seen()).toBe(null);
  });
});

describe('APIs', () => {
  const rules = () => ({ issuer: ISSUER, audience: AUDIENCE, tenantId: TENANT, scope: 'notes:read', fetch: issuer.fetch });

  test('of the Pages Router', async () => {
    route = requireAccessTokenInPages(rules(), (_request: ApiRequest, reply: ServerResponse, { claims }) => reply.end(claims.sub));
    const headers = { authorization: `Bearer ${await issuer.accessToken()}` };
    expect(await (await fetch(home, { headers })).text()).toBe('ada');
    const refused = await fetch(home);
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer scope="notes:read"']);
  });

  test('of the Pages Router refuse a stranger whose Host is no name as any other', async () => {
    route = requireAccessTokenInPages(rules(), (_request: ApiRequest, reply: ServerResponse, { claims }) => reply.end(claims.sub));
    for (const host of ['a b', 'x:y', '']) {
      const status = await new Promise((resolve, reject) => {
        get(home, { headers: { host } }, (reply) => resolve(reply.resume().statusCode)).on('error', reject);
      });
      expect(status, host).toBe(401);
    }
  });

  test('of the Pages Router hold a proof against the origin, with its prefix, and not against Host', async () => {
    const origin = 'https://api.example/shop/';
    route = requireAccessTokenInPages({ ...rules(), origin }, (_request: ApiRequest, reply: ServerResponse, { claims }) => reply.end(claims.sub));
    const { privateKey, publicKey } = await generateKeyPair('ES256');
    const jwk = await exportJWK(publicKey);
    const token = await issuer.accessToken({ cnf: { jkt: await calculateJwkThumbprint(jwk) } });
    const ath = createHash('sha256').update(token).digest('base64url');
    const asked = async (htu: string) => {
      const proof = await new SignJWT({ htm: 'GET', htu, ath, jti: crypto.randomUUID() })
        .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk }).setIssuedAt().sign(privateKey);
      return (await fetch(`${home}/notes`, { headers: { authorization: `DPoP ${token}`, dpop: proof } })).status;
    };
    expect(await asked('https://api.example/shop/notes')).toBe(200);
    expect(await asked('https://api.example/notes')).toBe(401);
    expect(await asked(`${home}/notes`)).toBe(401);
  });

  test('of the App Router', async () => {
    const GET = requireAccessToken(rules(), (_request, { claims }, { id }: { id: string }) => new Response(`${claims.sub} ${id}`));
    const request = new Request(AUDIENCE, { headers: { authorization: `Bearer ${await issuer.accessToken()}` } });
    expect(await (await GET(request, { id: '7' })).text()).toBe('ada 7');
    expect((await GET(new Request(AUDIENCE), { id: '7' })).status).toBe(401);
  });
});
