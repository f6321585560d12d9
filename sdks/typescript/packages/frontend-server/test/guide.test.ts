// The programs in docs/packages/server.md, as their readers run them: by a package that is built.
import { randomUUID, createHmac } from 'node:crypto';
import { SignJWT, calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { GET } from './guide/access-token.js';
import { begin, end, leave } from './guide/by-hand.js';
import { answer } from './guide/mcp.js';
import { endedSessionsIn, replaysIn } from './guide/stores.js';
import { POST } from './guide/webhook.js';
import { CLIENT, ISSUER, Issuer } from './issuer.js';

let issuer: Issuer;
beforeEach(async () => {
  // Keys are kept for each issuer: the next test's must not be those of this one.
  issuer = await (kept ??= Issuer.make());
  issuer.answers.clear();
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => issuer.fetch(url, init));
});
let kept: Promise<Issuer> | undefined;
afterEach(() => vi.unstubAllGlobals());

const bearing = (url: string, token: string) => new Request(url, { headers: { authorization: `Bearer ${token}` } });

test('an API takes the assistant of a person with a proof, once, and nothing less', async () => {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const jwk = await exportJWK(publicKey);
  const more = { scope: 'orders:read', cnf: { jkt: await calculateJwkThumbprint(jwk) }, act: { sub: 'app_assistant' } };
  const bound = async (claims: Record<string, unknown> = {}) => {
    const token = await issuer.accessToken({ ...more, ...claims });
    const ath = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(token))).toString('base64url');
    const proof = await new SignJWT({ htm: 'GET', htu: 'https://api.example/orders', ath, jti: randomUUID(), iat: Math.floor(Date.now() / 1000) })
      .setProtectedHeader({ typ: 'dpop+jwt', alg: 'ES256', jwk }).sign(privateKey);
    return () => GET(new Request('https://api.example/orders', { headers: { authorization: `DPoP ${token}`, dpop: proof } }));
  };
  const asked = await bound();
  const good = await asked();
  expect([good.status, await good.json()]).toEqual([200, { orders: 'of ada' }]);
  expect((await asked()).status, 'a proof counts once').toBe(401);
  expect((await (await bound({ tenant_id: 'tnt_2' }))()).status).toBe(403);
  expect((await (await bound({ act: { sub: 'app_other' } }))()).status).toBe(403);
  expect((await (await bound({ scope: 'notes:read' }))()).status).toBe(403);
  expect((await GET(bearing('https://api.example/orders', await issuer.accessToken({ scope: 'orders:read' })))).status).toBe(401);
});

test('an MCP server says where its tokens come from, and which scope is missing', async () => {
  const resource = 'https://tools.example/mcp';
  const document = await answer(new Request('https://tools.example/.well-known/oauth-protected-resource/mcp'));
  expect(await document.json()).toMatchObject({ resource, authorization_servers: [ISSUER], scopes_supported: ['tools:use'] });
  const none = await answer(new Request(resource));
  expect([none.status, none.headers.get('www-authenticate')]).toEqual([401, expect.stringContaining('resource_metadata=')]);
  const weak = await answer(bearing(resource, await issuer.accessToken({ aud: resource })));
  expect([weak.status, weak.headers.get('www-authenticate')]).toEqual([403, expect.stringContaining('insufficient_scope')]);
  const good = await answer(bearing(resource, await issuer.accessToken({ aud: resource, scope: 'tools:use' })));
  expect(await good.json()).toMatchObject({ result: { caller: 'ada' } });
});

test('a delivery is taken once, and a forged one never', async () => {
  vi.stubEnv('WEBHOOK_SECRET', 'whsec_of_the_page');
  const said = vi.spyOn(console, 'log').mockReturnValue();
  const body = JSON.stringify({ id: 'evt_1', type: 'user.created', data: {} });
  const deliver = (id: string, secret: string) => {
    const at = String(Math.floor(Date.now() / 1000));
    const signature = createHmac('sha256', secret).update(['svc-webhook-v1', at, '300', 'user.created', id, body].join('\n')).digest('hex');
    const named = { 'signature-suite': 'svc-webhook-v1', timestamp: at, 'signature-max-age': '300', event: 'user.created', delivery: id, 'signature-256': `sha256=${signature}` };
    const headers = { 'content-type': 'application/json', ...Object.fromEntries(Object.entries(named).map(([name, value]) => [`x-svc-${name}`, value])) };
    return POST(new Request('https://shop.example/events', { method: 'POST', body, headers }));
  };
  expect((await deliver('d_1', 'whsec_of_another')).status).toBe(400);
  expect((await deliver('d_1', 'whsec_of_the_page')).status).toBe(204);
  expect((await deliver('d_1', 'whsec_of_the_page')).status).toBe(200);
  expect(said.mock.calls).toEqual([['user.created']]);
  vi.unstubAllEnvs();
});

test('a sign-in by hand ends with the claims of the person, and a sign-out has an address', async () => {
  const { url, ...remembered } = await begin();
  expect(new URL(url).origin).toBe(ISSUER);
  const now = Math.floor(Date.now() / 1000);
  issuer.serveTokens(() => ({ iss: ISSUER, aud: CLIENT, sub: 'ada', iat: now, exp: now + 300, nonce: remembered.nonce }));
  const back = new URL(`https://shop.example/callback?code=c&state=${remembered.state}&iss=${encodeURIComponent(ISSUER)}`);
  const tokens = await end(back, { url, ...remembered });
  expect(tokens.claims?.sub).toBe('ada');
  expect(await leave(tokens)).toMatch(/^https:\/\/id\.example\/oauth\/end-session\?/);
});

test('the stores for several processes remember marks once, and sessions that ended', async () => {
  const entries = new Map<string, string>();
  const redis = {
    get: async (key: string) => entries.get(key) ?? null,
    set: async (key: string, value: string, { NX }: { NX?: true; EX: number }) => (NX && entries.has(key) ? null : (entries.set(key, value), 'OK')),
  };
  const marks = await Promise.all(Array.from({ length: 20 }, () => replaysIn(redis).add('mark', 60)));
  expect(marks.filter(Boolean)).toHaveLength(1);
  const ended = endedSessionsIn(redis);
  await ended.end({ sid: 's1', sub: 'ada', at: 100, until: 200 });
  await ended.end({ sub: 'bob', at: 100, until: 200 });
  expect(await ended.hasEnded({ sid: 's1', sub: 'ada', since: 100 })).toBe(true);
  expect(await ended.hasEnded({ sid: 's2', sub: 'ada', since: 50 })).toBe(false);
  expect(await ended.hasEnded({ sid: 's3', sub: 'bob', since: 100 })).toBe(true);
  expect(await ended.hasEnded({ sid: 's3', sub: 'bob', since: 100.5 })).toBe(false);
  await ended.end({ sub: 'bob', at: 40, until: 200 });
  expect(await ended.hasEnded({ sid: 's3', sub: 'bob', since: 100 }), 'a notice that comes late').toBe(true);
});
