// Access tokens under attack and in outages.
import { createHash } from 'node:crypto';
import { type JWK, type JWTHeaderParameters, SignJWT, UnsecuredJWT, calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type AccessTokenRules, AuthError, createResourceServer, requireAccessToken } from '../src/index.js';
import { AUDIENCE, ISSUER, Issuer, TENANT } from './issuer.js';

let issuer: Issuer;
beforeEach(async () => {
  issuer = await Issuer.make();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const rules = (): AccessTokenRules => ({ issuer: ISSUER, audience: AUDIENCE, tenantId: TENANT, scope: 'notes:read', fetch: issuer.fetch });
const bearing = (token: string, scheme = 'Bearer') => new Request(`${AUDIENCE}/notes`, { headers: { authorization: `${scheme} ${token}` } });
const refused = (promise: Promise<unknown>) => promise.then(() => expect.unreachable('it was taken'), (error: unknown) => error as AuthError);

describe('algorithms', () => {
  test('a token signed with the public key as a secret is refused, and one without a signature', async () => {
    const authorize = requireAccessToken(rules());
    await authorize(bearing(await issuer.accessToken()));
    const [key] = (await issuer.jwks()).keys;
    const claims = { iss: ISSUER, aud: AUDIENCE, tenant_id: TENANT, exp: Date.now() };
    const confused = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: 'key-1', typ: 'at+jwt' }).sign(new TextEncoder().encode(JSON.stringify(key)));
    const none = new UnsecuredJWT(claims).encode();
    for (const token of [confused, none, `${none}AAAA`]) {
      expect(await refused(authorize(bearing(token)))).toMatchObject({ code: 'invalid_token', status: 401 });
    }
  });
});

test('what is in the header and no token is refused as one, and two tokens are none', async () => {
  const authorize = requireAccessToken(rules());
  const token = await issuer.accessToken();
  for (const wrong of ['[object Object]', 'a b', '{}']) expect(await refused(authorize(bearing(wrong))), wrong).toMatchObject({ code: 'invalid_token', status: 401 });
  for (const none of ['', ' ', `${token}, Bearer ${token}`]) expect(await refused(authorize(bearing(none))), none).toMatchObject({ code: 'missing_token', status: 401 });
  expect(await authorize(bearing(` ${token} `))).toMatchObject({ isDpopBound: false });
});

describe('keys', () => {
  test('a flood of made-up key names leads to one request', async () => {
    const authorize = requireAccessToken(rules());
    await authorize(bearing(await issuer.accessToken()));
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_000);
    for (let turn = 0; turn < 100; turn += 1) {
      expect(await refused(authorize(bearing(await issuer.accessToken({}, { kid: `made-up-${turn}` }))))).toMatchObject({ code: 'invalid_token' });
    }
    expect(issuer.asks('/jwks')).toBe(2);
    await authorize(bearing(await issuer.accessToken()));
  });

  test('a new key is found after the pause, and the old ones survive an outage', async () => {
    const authorize = requireAccessToken(rules());
    const old = await issuer.accessToken();
    await authorize(bearing(old));
    issuer.answers.set('/jwks', () => new Response('down', { status: 503 }));
    const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 3_600_000);
    await authorize(bearing(old));
    await new Promise((resolve) => setTimeout(resolve, 5));
    await authorize(bearing(old));
    expect(issuer.asks('/jwks')).toBe(2);
    issuer.answers.delete('/jwks');
    await issuer.rotate('key-2');
    clock.mockReturnValue(performance.now() + 40_000);
    await authorize(bearing(await issuer.accessToken()));
  });

  test('a key that was withdrawn counts for five minutes at most', async () => {
    const authorize = requireAccessToken(rules());
    const old = await issuer.accessToken();
    await authorize(bearing(old));
    await issuer.rotate('key-2');
    const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 301_000);
    await authorize(bearing(old));
    await vi.waitFor(() => expect(issuer.asks('/jwks')).toBe(2), { timeout: 30_000 });
    await vi.waitFor(async () => expect(await refused(authorize(bearing(old)))).toMatchObject({ code: 'invalid_token' }), { timeout: 30_000 });
    clock.mockRestore();
  });

  test('of many requests at the start one fetches the keys', async () => {
    const authorize = requireAccessToken(rules());
    const token = await issuer.accessToken();
    await Promise.all(Array.from({ length: 50 }, () => authorize(bearing(token))));
    expect([issuer.asks('/jwks'), issuer.asks('/.well-known/openid-configuration')]).toEqual([1, 1]);
  });

  test('no keys, too many bytes and other than JSON are 503, never 401', async () => {
    const answers: [string, () => Response][] = [
      ['down', () => new Response('', { status: 500 })],
      ['huge', () => new Response(`{"keys":[],"more":"${'x'.repeat(300_000)}"}`)],
      ['no JSON', () => new Response('<html>')],
      ['no list', () => Response.json({ keys: 'none' })],
      ['a redirect', () => new Response(null, { status: 302, headers: { location: 'https://evil.example/' } })],
    ];
    for (const [name, answer] of answers) {
      issuer.answers.set('/jwks', answer);
      expect(await refused(requireAccessToken(rules())(bearing(await issuer.accessToken()))), name).toMatchObject({ status: 503 });
    }
  });

  test('an issuer that does not answer is given up', async () => {
    vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
      const control = new AbortController();
      setTimeout(() => control.abort(), 20);
      return control.signal;
    });
    issuer.answers.set('/jwks', (_url, { signal }) => new Promise((_resolve, reject) => signal!.addEventListener('abort', () => reject(new Error('aborted')))));
    const error = await refused(requireAccessToken(rules())(bearing(await issuer.accessToken())));
    expect(error).toMatchObject({ code: 'temporarily_unavailable', status: 503 });
    expect(error.message).toContain('did not answer');
  });
});

describe('proofs', () => {
  const proving = async (address: string, ahead = 0, { htu = address, header = {}, key = {} }: { htu?: string; header?: Partial<JWTHeaderParameters>; key?: Partial<JWK> } = {}) => {
    const { privateKey, publicKey } = await generateKeyPair('ES256');
    const jwk = { ...(await exportJWK(publicKey)), ...key };
    const token = await issuer.accessToken({ cnf: { jkt: await calculateJwkThumbprint(jwk) } });
    const ath = createHash('sha256').update(token).digest('base64url');
    const proof = await new SignJWT({ htm: 'GET', htu, ath, jti: crypto.randomUUID() })
      .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk, ...header }).setIssuedAt(Math.floor(Date.now() / 1_000) + ahead).sign(privateKey);
    return new Request(address, { headers: { authorization: `DPoP ${token}`, dpop: proof } });
  };

  test('a proof for another host is refused, whatever host the request names', async () => {
    const authorize = requireAccessToken({ ...rules(), origin: `${AUDIENCE}/` });
    expect(await authorize(await proving(`${AUDIENCE}/notes`))).toMatchObject({ isDpopBound: true });
    const error = await refused(authorize(await proving('https://evil.example/notes')));
    expect(error).toMatchObject({ code: 'invalid_dpop_proof', status: 401, message: 'The DPoP proof was refused: htu is another address.' });
  });

  test('addresses of proofs are held against each other in their normal form', async () => {
    const authorize = requireAccessToken({ ...rules(), origin: AUDIENCE });
    const address = `${AUDIENCE}/a~b/%2F?q=1`;
    const { host } = new URL(AUDIENCE);
    for (const htu of [`${AUDIENCE}/a~b/%2F`, `${AUDIENCE}/a%7Eb/%2f`, `HTTPS://${host.toUpperCase()}:443/%61~b/%2F#x`]) {
      expect(await authorize(await proving(address, 0, { htu })), htu).toMatchObject({ isDpopBound: true });
    }
    const others = [
      `${AUDIENCE}/a~b//`, `${AUDIENCE}/a~b/%252F`, `${AUDIENCE}:444/a~b/%2F`, `https://me@${host}/a~b/%2F`, `http://${host}/a~b/%2F`,
      `${AUDIENCE}/A~b/%2F`, `${AUDIENCE}/a~b/%2F/`, `${AUDIENCE}\\a~b/%2F`, ` ${AUDIENCE}/a~b/%2F`, `${AUDIENCE}/a~\tb/%2F`,
    ];
    for (const htu of others) expect(await refused(authorize(await proving(address, 0, { htu }))), htu).toMatchObject({ code: 'invalid_dpop_proof' });
  });

  test('the type of a proof is a media type, and it says of no key where to fetch it', async () => {
    const authorize = requireAccessToken({ ...rules(), origin: AUDIENCE });
    const judged = async (header: Partial<JWTHeaderParameters>) => authorize(await proving(`${AUDIENCE}/notes`, 0, { header }));
    for (const typ of ['DPoP+JWT', 'application/dpop+jwt']) expect(await judged({ typ }), typ).toMatchObject({ isDpopBound: true });
    const wrong: Partial<JWTHeaderParameters>[] = [{ typ: 'JWT' }, { jku: 'https://evil.example' }, { x5u: 'https://evil.example' }, { x5c: ['AA'] }];
    for (const header of wrong) {
      expect(await refused(judged(header)), JSON.stringify(header)).toMatchObject({ code: 'invalid_dpop_proof', status: 401 });
    }
  });

  test('a proof by an RSA key is taken with PS256 and no other algorithm', async () => {
    const authorize = requireAccessToken({ ...rules(), origin: AUDIENCE });
    const judged = async (alg: string, named?: string) => {
      const { privateKey, publicKey } = await generateKeyPair(alg);
      const jwk = { ...(await exportJWK(publicKey)), ...(named && { alg: named }) };
      const token = await issuer.accessToken({ cnf: { jkt: await calculateJwkThumbprint(jwk) } });
      const ath = createHash('sha256').update(token).digest('base64url');
      const proof = await new SignJWT({ htm: 'GET', htu: `${AUDIENCE}/notes`, ath, jti: crypto.randomUUID() })
        .setProtectedHeader({ alg, typ: 'dpop+jwt', jwk }).setIssuedAt().sign(privateKey);
      return authorize(new Request(`${AUDIENCE}/notes`, { headers: { authorization: `DPoP ${token}`, dpop: proof } }));
    };
    for (const named of ['', 'PS256']) expect(await judged('PS256', named)).toMatchObject({ isDpopBound: true });
    for (const [alg, named] of [['RS256', ''], ['PS512', ''], ['PS256', 'RS256'], ['ES256', 'PS256']] as const) {
      expect(await refused(judged(alg, named)), alg).toMatchObject({ code: 'invalid_dpop_proof', status: 401 });
    }
  });

  test('the fraction of the time of a proof is dropped, and its key signs', async () => {
    const authorize = requireAccessToken({ ...rules(), origin: AUDIENCE });
    for (const ahead of [0, 0.5]) {
      expect(await authorize(await proving(`${AUDIENCE}/notes`, ahead, { key: { use: 'sig' } }))).toMatchObject({ isDpopBound: true });
    }
    for (const wrong of [proving(`${AUDIENCE}/notes`, -1e10), proving(`${AUDIENCE}/notes`, 0, { key: { use: 'enc' } })]) {
      expect(await refused(authorize(await wrong))).toMatchObject({ code: 'invalid_dpop_proof', status: 401 });
    }
  });

  test('a store of proofs that fails lets none pass, and says so with 503', async () => {
    const replays = { add: () => Promise.reject(new Error('no connection')) };
    const error = await refused(requireAccessToken({ ...rules(), origin: AUDIENCE, replays })(await proving(`${AUDIENCE}/notes`)));
    expect(error).toMatchObject({ code: 'temporarily_unavailable', status: 503 });
    expect(error.toResponse().headers.get('www-authenticate')).toBe(null);
  });

  test('a proof may be as far ahead as the setting for clocks says', async () => {
    for (const [leewaySecs, isTaken] of [[10, false], [60, true]] as const) {
      const answer = requireAccessToken({ ...rules(), origin: AUDIENCE, leewaySecs })(await proving(`${AUDIENCE}/notes`, 30));
      if (isTaken) expect(await answer).toMatchObject({ isDpopBound: true });
      else expect(await refused(answer)).toMatchObject({ code: 'invalid_dpop_proof' });
    }
    const error = await refused(requireAccessToken({ ...rules(), leewaySecs: NaN })(bearing(await issuer.accessToken())));
    expect(error).toMatchObject({ code: 'invalid_configuration', status: 500 });
  });

  test('without an origin no proof is taken, and bearers are', async () => {
    const authorize = requireAccessToken(rules());
    const error = await refused(authorize(await proving(`${AUDIENCE}/notes`)));
    expect(error).toMatchObject({ code: 'invalid_dpop_proof', status: 401 });
    expect(error.message).toContain('until its option origin is set');
    expect(await authorize(bearing(await issuer.accessToken()))).toMatchObject({ isDpopBound: false });
  });

  test('an origin that is needed and missing, or no address, is named', async () => {
    for (const more of [{ dpop: 'required' }, { origin: 'api.example' }] as const) {
      const error = await refused(requireAccessToken({ ...rules(), ...more })(bearing(await issuer.accessToken())));
      expect(error).toMatchObject({ code: 'invalid_configuration', status: 500 });
      expect(error.message).toMatch(/^origin is /);
    }
  });
});

test('times below zero or beyond what JSON carries are none, and a fraction of a second is dropped', async () => {
  const authorize = requireAccessToken(rules());
  const now = Math.floor(Date.now() / 1_000);
  for (const claims of [{ exp: 2 ** 53 + 2 }, { nbf: -1 }, { nbf: -0.5 }, { iat: 1e300 }, { iat: null }]) {
    expect(await refused(authorize(bearing(await issuer.accessToken(claims)))), JSON.stringify(claims)).toMatchObject({ code: 'invalid_token', status: 401 });
  }
  for (const claims of [{ exp: now + 300.5 }, { nbf: now - 0.5 }, { iat: now - 0.5 }]) {
    expect(await authorize(bearing(await issuer.accessToken(claims))), JSON.stringify(claims)).toMatchObject({ isDpopBound: false });
  }
});

describe('what is said', () => {
  test('a clock that is ten minutes off is named', async () => {
    const now = Math.floor(Date.now() / 1_000);
    const token = await issuer.accessToken({ iat: now, nbf: now, exp: now + 900 });
    const at = (seconds: number) => requireAccessToken({ ...rules(), now: () => now + seconds })(bearing(token));
    expect((await refused(at(-600))).message).toMatch(/nbf is 600 s ahead: this machine's clock, or the issuer's, is wrong/);
    expect((await refused(at(1_500))).message).toMatch(/expired 600 s ago by this machine's clock/);
    await at(3);
  });

  test('a token ends at its exp, and may begin ten seconds ahead', async () => {
    const now = Math.floor(Date.now() / 1_000);
    const at = async (claims: Record<string, unknown>) => requireAccessToken({ ...rules(), now: () => now })(bearing(await issuer.accessToken(claims)));
    await at({ exp: now + 1 });
    expect((await refused(at({ exp: now }))).message).toContain('It expired 0 s ago');
    for (const name of ['nbf', 'iat']) {
      await at({ [name]: now + 10 });
      expect((await refused(at({ [name]: now + 11 }))).message).toContain(`Its ${name} is 11 s ahead`);
    }
  });

  test('challenges name the fault, the scope and the metadata', async () => {
    const server = createResourceServer({ issuer: ISSUER, resource: `${AUDIENCE}/mcp`, tenantId: TENANT, name: 'Tools', scopes: ['tools:use'], fetch: issuer.fetch });
    expect(server.metadataPath).toBe('/.well-known/oauth-protected-resource/mcp');
    expect(await server.metadata().json()).toMatchObject({ resource: `${AUDIENCE}/mcp`, authorization_servers: [ISSUER], scopes_supported: ['tools:use'] });
    const bare = createResourceServer({ issuer: ISSUER, resource: AUDIENCE, tenantId: TENANT, scopes: [] });
    expect(await bare.metadata().json()).not.toHaveProperty('scopes_supported');
    const authorize = server.require({ scope: 'tools:use' });
    const url = `resource_metadata="${AUDIENCE}/.well-known/oauth-protected-resource/mcp"`;
    const none = await refused(authorize(new Request(`${AUDIENCE}/mcp`)));
    expect(none.toResponse().headers.get('www-authenticate')).toBe(`Bearer scope="tools:use", ${url}`);
    const other = await refused(authorize(bearing(await issuer.accessToken())));
    expect(other.toResponse().headers.get('www-authenticate')).toBe(
      `Bearer error="invalid_token", error_description="The access token was refused. It is for another API.", scope="tools:use", ${url}`,
    );
    const weak = await refused(authorize(bearing(await issuer.accessToken({ aud: `${AUDIENCE}/mcp` }))));
    expect(weak.status).toBe(403);
    expect(weak.toResponse().headers.get('www-authenticate')).toBe(
      `Bearer error="insufficient_scope", error_description="The token lacks the scope tools:use.", scope="tools:use", ${url}`,
    );
  });

  test('errors have the tenant and the request, and never the token', async () => {
    const token = await issuer.accessToken({ scope: 'other' });
    const request = bearing(token);
    request.headers.set('x-request-id', 'req-9');
    const error = await refused(requireAccessToken(rules())(request));
    expect(error).toMatchObject({ code: 'insufficient_scope', tenant: TENANT, requestId: 'req-9' });
    expect(await refused(requireAccessToken(rules())(new Request('https://api.example/notes')))).toMatchObject({ code: 'missing_token', tenant: TENANT });
    expect(`${JSON.stringify(error)} ${error.stack} ${await error.toResponse().text()}`).not.toContain(token.split('.')[1]);
    expect(error.cause).toBe(undefined);
  });
});
