// The routes and the cookie session against everything that a browser or a stranger may send.
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { Auth, AuthError, type AuthOptions, MemoryEndedSessions, MemoryReplayStore, localPath } from '../src/index.js';
import { shared } from '../src/shared.js';
import { CANARIES, CLIENT, ISSUER, Issuer } from './issuer.js';

const HOME = 'https://app.example';
const SECRETS = ['a'.repeat(32), 'b'.repeat(32)];
const EVENT = { 'http://schemas.openid.net/event/backchannel-logout': {} };

let issuer: Issuer;
let auth: Auth;
beforeEach(async () => {
  issuer = await Issuer.make();
  auth = made();
});

function made(more: Partial<AuthOptions> = {}): Auth {
  return new Auth({
    issuer: ISSUER,
    // Processes share what is remembered of one application: each test has its own.
    clientId: CLIENT,
    clientSecret: CANARIES.clientSecret,
    redirectUri: `${HOME}/auth/callback`,
    cookieSecrets: SECRETS,
    scopes: ['openid', 'offline_access'],
    endedSessions: new MemoryEndedSessions(),
    replays: new MemoryReplayStore(),
    fetch: issuer.fetch,
    ...more,
  });
}

const now = () => Math.floor(Date.now() / 1_000);
const get = (path: string, cookie = '') => new Request(`${HOME}${path}`, { headers: { cookie } });

/** A `Cookie` field with what an answer sets. */
function cookies(reply: Response, before = ''): string {
  const jar = new Map(before.split('; ').filter(Boolean).map((pair) => pair.split(/=(.*)/) as [string, string]));
  for (const line of reply.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line)!;
    if (/Max-Age=0;/.test(line)) jar.delete(name);
    else jar.set(name, value);
  }
  return [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
}

async function begun(query = ''): Promise<{ state: string; nonce: string; cookie: string }> {
  const reply = await auth.login(get(`/auth/login${query}`));
  const { searchParams } = new URL(reply.headers.get('location')!);
  return { state: searchParams.get('state')!, nonce: searchParams.get('nonce')!, cookie: cookies(reply) };
}

async function signedIn(claims: Record<string, unknown> = {}, more: Record<string, unknown> = {}): Promise<{ reply: Response; cookie: string }> {
  const { state, nonce, cookie } = await begun('?returnTo=/orders');
  issuer.serveTokens(() => ({ iss: ISSUER, aud: CLIENT, sub: 'ada', sid: 's-1', nonce, iat: now(), exp: now() + 300, ...claims }), { refresh_token: CANARIES.refresh, ...more });
  const reply = await auth.callback(get(`/auth/callback?code=${CANARIES.code}&state=${state}&iss=${encodeURIComponent(ISSUER)}`, cookie));
  return { reply, cookie: cookies(reply, cookie) };
}

describe('cookies', () => {
  test('are host-bound, out of reach of scripts, and small enough', async () => {
    const { reply } = await signedIn();
    expect(reply.headers.get('location')).toBe(`${HOME}/orders`);
    for (const line of reply.headers.getSetCookie()) {
      expect(line).toMatch(/^__Host-svc-[\w.-]+=[^;]*; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure$/);
      expect(line.length).toBeLessThan(4_096);
    }
  });

  test('a session of several pieces is whole or nothing', async () => {
    const { cookie } = await signedIn({ big: Array.from({ length: 4_000 }, () => Math.random().toString(36)[2]).join('') });
    const pieces = cookie.split('; ');
    expect(pieces.length).toBeGreaterThan(1);
    expect(await auth.read(cookie)).toMatchObject({ sub: 'ada', sid: 's-1' });
    for (let without = 0; without < pieces.length; without += 1) {
      expect(await auth.read(pieces.filter((_, at) => at !== without).join('; '))).toBe(null);
    }
    expect(await auth.read(pieces.reverse().join('; '))).toMatchObject({ sub: 'ada' });
    expect(await auth.read(cookie.replace(/\.1=/, '.2='))).toBe(null);
  });

  test('a changed, cut, foreign or oversized one is no session', async () => {
    const { cookie } = await signedIn();
    for (let at = 40; at < cookie.length; at += 97) {
      const other = cookie[at] === 'A' ? 'B' : 'A';
      expect(await auth.read(`${cookie.slice(0, at)}${other}${cookie.slice(at + 1)}`), String(at)).toBe(null);
    }
    expect(await auth.read(cookie.slice(0, -30))).toBe(null);
    expect(await auth.read(`__Host-svc-session.0=9~${'x'.repeat(100_000)}`)).toBe(null);
    expect(await auth.read(`__Host-svc-session.0=1~${'x'.repeat(1_000_000)}`)).toBe(null);
    expect(await auth.read(cookie.replaceAll('__Host-', ''))).toBe(null);
    expect(await made({ cookieSecrets: 'c'.repeat(32) }).read(cookie)).toBe(null);
    const { changes } = await auth.renew(cookie.slice(0, -30));
    expect(changes.every(({ maxAge }) => maxAge === 0)).toBe(true);
  });

  test('secrets are replaced without ending sessions', async () => {
    const { cookie } = await signedIn();
    expect(await made({ cookieSecrets: ['n'.repeat(32), ...SECRETS] }).read(cookie)).toMatchObject({ sub: 'ada' });
    expect(() => made({ cookieSecrets: ['short'] })).toThrow(/32 characters/);
    expect(() => made({ cookieSecrets: [] })).toThrow(/at least one/);
  });

  test('those of sign-ins leave room for the session, however many are begun and however long their paths', async () => {
    for (const [length, most] of [[20, 4], [2_000, 2]] as const) {
      let cookie = '';
      for (let turn = 0; turn < 7; turn += 1) {
        const reply = await auth.login(get(`/auth/login?returnTo=/${'x'.repeat(length)}`, cookie));
        const { searchParams } = new URL(reply.headers.get('location')!);
        cookie = cookies(reply, cookie);
        expect(cookie.length, `${length}`).toBeLessThan(7_000);
        const back = await auth.callback(get(`/auth/callback?error=access_denied&state=${searchParams.get('state')}&iss=${encodeURIComponent(ISSUER)}`, cookie));
        expect(await back.text(), 'the newest is there').toContain('access_denied');
      }
      expect(cookie.split('; ').length).toBe(most);
    }
  });

  test('of applications at two ports of one host leave each other alone', async () => {
    const at = (home: string) => made({ redirectUri: `${home}/auth/callback`, cookieSecrets: String(home).padEnd(32, 'x') });
    const homes = ['http://localhost', 'http://localhost:3000', 'http://localhost:5173'];
    let cookie = '';
    for (const home of homes) {
      auth = at(home);
      const begun = await auth.login(new Request(`${home}/auth/login`, { headers: { cookie } }));
      const { searchParams } = new URL(begun.headers.get('location')!);
      cookie = cookies(begun, cookie);
      issuer.serveTokens(() => ({ iss: ISSUER, aud: CLIENT, sub: home, sid: home, nonce: searchParams.get('nonce'), iat: now(), exp: now() + 300 }));
      const query = new URLSearchParams({ code: CANARIES.code, state: searchParams.get('state')!, iss: ISSUER });
      const reply = await auth.callback(new Request(`${home}/auth/callback?${query}`, { headers: { cookie } }));
      expect(reply.headers.getSetCookie().every((line) => !line.includes('Secure'))).toBe(true);
      cookie = cookies(reply, cookie);
    }
    for (const home of homes) {
      const { session, changes } = await at(home).renew(cookie);
      expect([session?.sub, changes]).toEqual([home, []]);
    }
  });

  test('that of a sign-in is no session', async () => {
    const { cookie } = await begun();
    const sealed = cookie.split('=')[1];
    expect(await auth.read(`__Host-svc-session.0=1~${sealed}`)).toBe(null);
  });

  test('claims that fit in no cookie are an error that says so', async () => {
    const { reply } = await signedIn({ huge: 'x'.repeat(20_000) });
    expect(reply.status).toBe(500);
    expect(await reply.text()).toContain('data-code="session_too_large"');
  });

  test('of many begun sign-ins the last ones are kept', async () => {
    let cookie = '';
    for (let turn = 0; turn < 12; turn += 1) cookie = cookies(await auth.login(get('/auth/login', cookie)), cookie);
    expect(cookie.split('; ').length).toBe(4);
  });
});

describe('the callback', () => {
  const failed = async (path: string, cookie: string) => (await auth.callback(get(path, cookie))).text();

  test('without its state, with another one, another issuer or none is refused before any code is sent', async () => {
    const { state, cookie } = await begun();
    const iss = `iss=${encodeURIComponent(ISSUER)}`;
    expect(await failed('/auth/callback?code=x', cookie)).toContain('"missing_state"');
    expect(await failed(`/auth/callback?code=x&state=other&${iss}`, cookie)).toContain('"login_expired"');
    expect(await failed(`/auth/callback?code=x&state=${state}&${iss}`, '')).toContain('"login_expired"');
    expect(await failed(`/auth/callback?code=x&state=${state}&iss=https%3A%2F%2Fevil.example`, cookie)).toContain('"issuer_mismatch"');
    expect(issuer.asks('/oauth/token')).toBe(0);
  });

  test('reports what the service said by its code alone', async () => {
    const { state, cookie } = await begun();
    const page = await failed(`/auth/callback?error=access_denied&error_description=%3Cscript%3E&state=${state}&iss=${encodeURIComponent(ISSUER)}`, cookie);
    expect(page).toContain('"access_denied"');
    expect(page).not.toContain('script');
  });

  test('another nonce, audience or issuer in the ID token is refused', async () => {
    for (const claims of [{ nonce: 'other' }, { aud: 'app_2' }, { iss: 'https://evil.example' }, { iat: now() - 400, exp: now() - 100 }]) {
      const { reply } = await signedIn(claims);
      expect(reply.status).toBeGreaterThanOrEqual(400);
      expect(reply.headers.getSetCookie().some((line) => line.includes('svc-session'))).toBe(false);
    }
  });

  test('an ID token with the signature of another key is refused', async () => {
    const stranger = await Issuer.make();
    const { state, nonce, cookie } = await begun();
    stranger.serveTokens(() => ({ iss: ISSUER, aud: CLIENT, sub: 'ada', nonce, iat: now(), exp: now() + 300 }));
    issuer.answers.set('/oauth/token', stranger.fetch);
    expect(await failed(`/auth/callback?code=x&state=${state}&iss=${encodeURIComponent(ISSUER)}`, cookie)).toContain('"invalid_token"');
  });

  test('a clock that is ten minutes off is named', async () => {
    const { reply } = await signedIn({ iat: now() - 900, exp: now() - 600 });
    expect(await reply.text()).toMatch(/"clock_skew">The clock of this machine is \d+ s ahead of that of the service/);
  });

  test('errors have the request of the service, and no code, secret or token', async () => {
    const said: unknown[] = [];
    auth = made({
      onError: (error) => {
        said.push(error, error.stack, JSON.stringify(error));
        return new Response(error.code, { status: 400 });
      },
    });
    const answers = [
      () => Response.json({ error: 'invalid_grant', error_description: `${CANARIES.code} ${CANARIES.refresh}` }, { status: 400, headers: { 'x-request-id': 'req-7' } }),
      () => Response.json({ error: 'invalid_client' }, { status: 401, headers: { 'www-authenticate': 'Basic realm="x"' } }),
      () => new Response(`${CANARIES.refresh}`, { status: 500 }),
      () => Response.json({ access_token: CANARIES.refresh, token_type: 'Bearer' }),
      () => Promise.reject(new Error(CANARIES.clientSecret)),
    ];
    const codes: string[] = [];
    for (const answer of answers) {
      issuer.answers.set('/oauth/token', answer);
      const again = await begun();
      const reply = await auth.callback(get(`/auth/callback?code=${CANARIES.code}&state=${again.state}&iss=${encodeURIComponent(ISSUER)}`, again.cookie));
      codes.push(await reply.text());
    }
    expect(codes).toEqual(['invalid_grant', 'invalid_client', 'invalid_response', 'invalid_response', 'temporarily_unavailable']);
    expect(said[0]).toMatchObject({ requestId: 'req-7' });
    // Which of several services an application means is in its log as well.
    expect(said.filter((one) => one instanceof AuthError).map(({ tenant }) => tenant)).toEqual(codes.map(() => ISSUER));
    expect(said.map(String).join(' ')).not.toMatch(/canary/);
  });
});

describe('returnTo', () => {
  test('stays at the application', () => {
    const kept = ['/', '/orders?page=2#top', '/a%2F%2Fb'];
    for (const path of kept) expect(localPath(path, HOME)).toBe(path);
    const foreign = ['//evil.example', '/\\evil.example', 'https://evil.example', 'javascript:alert(1)', '/\t/evil.example', '/./..//evil.example', '/.//evil.example', '', null, `/${'x'.repeat(3_000)}`, '\\\\evil', '@evil.example'];
    for (const path of foreign) expect(localPath(path, HOME), String(path)).toBe('/');
  });

  test('fits into its cookie in every script', async () => {
    for (const [letters, isKept] of [[200, true], [400, false]] as const) {
      const path = `/${'検'.repeat(letters)}`;
      const reply = await auth.login(get(`/auth/login?returnTo=${encodeURIComponent(path)}`));
      expect(localPath(path, HOME)).toBe(isKept ? encodeURI(path) : '/');
      for (const line of reply.headers.getSetCookie()) expect(line.length, `${letters}`).toBeLessThan(4_096);
    }
  });
});

describe('renewal', () => {
  const later = (seconds: number) => vi.spyOn(Date, 'now').mockReturnValue(Date.now() + seconds * 1_000);

  test('one for all requests; an outage ends no session, a refusal does', async () => {
    const { cookie } = await signedIn();
    const clock = later(1_000);
    issuer.answers.set('/oauth/token', () => new Response('', { status: 503 }));
    const before = issuer.asks('/oauth/token');
    const all = await Promise.all(Array.from({ length: 20 }, () => auth.renew(cookie)));
    expect(issuer.asks('/oauth/token') - before).toBe(1);
    expect(all.every(({ session, changes }) => session?.sub === 'ada' && changes.length === 0)).toBe(true);
    await expect(auth.accessToken(cookie)).rejects.toMatchObject({ code: 'invalid_response' });
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    issuer.answers.set('/oauth/token', () => Response.json({ error: 'invalid_grant' }, { status: 400 }));
    const { session, changes } = await auth.renew(cookie);
    expect(session).toBe(null);
    expect(changes.every(({ maxAge }) => maxAge === 0)).toBe(true);
    clock.mockRestore();
  });

  test.each([['30', 30], ['a date', 38], ['99999999999999999999', 60], ['-1', 1]])('a service that asks to come back after %s is asked no sooner', async (said, seconds) => {
    const { cookie } = await signedIn({}, { refresh_token: `refresh ${said}` });
    const clock = later(1_000);
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    for (const [status, body] of [[503, ''], [429, '{"error":"rate_limited"}']] as const) {
      const headers = { 'retry-after': said === 'a date' ? new Date(Date.now() + 40_000).toUTCString() : said, 'content-type': 'application/json' };
      issuer.answers.set('/oauth/token', () => new Response(body, { status, headers }));
      const before = issuer.asks('/oauth/token');
      const { session } = await auth.renew(cookie);
      await vi.advanceTimersByTimeAsync(seconds * 1_000 - 1);
      await auth.renew(cookie);
      expect([session?.sub, issuer.asks('/oauth/token') - before]).toEqual(['ada', 1]);
      await vi.advanceTimersByTimeAsync(60_000);
    }
    vi.useRealTimers();
    clock.mockRestore();
  });

  test('a refresh token that stays renews again, and old cookies are renewed once', async () => {
    const { cookie } = await signedIn({}, { refresh_token: 'stays' });
    let count = 0;
    issuer.answers.set('/oauth/token', () => Response.json({ access_token: `token-${(count += 1)}`, token_type: 'Bearer', expires_in: 45 }));
    const first = await auth.accessToken(cookie, { force: true });
    const next = auth.cookiesAfter(cookie, first.changes);
    const second = await auth.accessToken(next, { force: true });
    const old = await Promise.all([auth.accessToken(cookie, { force: true }), auth.accessToken(next, { force: true })]);
    expect([first, second, ...old].map(({ accessToken }) => accessToken)).toEqual(['token-1', 'token-2', 'token-1', 'token-2']);
    const clock = later(46);
    expect((await auth.accessToken(auth.cookiesAfter(next, second.changes))).accessToken).toBe('token-3');
    clock.mockRestore();
  });

  test('a token of another person ends the session', async () => {
    const { cookie } = await signedIn({}, { refresh_token: 'another' });
    const clock = later(1_000);
    issuer.serveTokens(() => ({ iss: ISSUER, aud: CLIENT, sub: 'mallory', iat: now(), exp: now() + 300 }));
    expect((await auth.renew(cookie)).session).toBe(null);
    clock.mockRestore();
  });
});

describe('notices of sign-outs', () => {
  const notice = async (claims: Record<string, unknown>, header: Record<string, unknown> = { typ: 'logout+jwt' }) => {
    const usual = { iss: ISSUER, aud: CLIENT, iat: now(), exp: now() + 120, jti: String(Math.random()), sub: 'ada', sid: 's-1', events: EVENT };
    const logout_token = await issuer.sign({ ...usual, ...claims }, header);
    const body = new URLSearchParams({ logout_token });
    return auth.backchannelLogout(new Request(`${HOME}/auth/backchannel-logout`, { method: 'POST', body }));
  };

  test('end the session that they name, and no other', async () => {
    const { cookie } = await signedIn();
    expect((await notice({ sid: 's-2', sub: undefined })).status).toBe(200);
    expect(await auth.read(cookie)).toMatchObject({ sub: 'ada' });
    const taken = await notice({});
    expect([taken.status, taken.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(await auth.read(cookie)).toBe(null);
  });

  test('without a session end all of the person so far', async () => {
    const { cookie } = await signedIn();
    expect((await notice({ sid: undefined, iat: now() + 1 })).status).toBe(200);
    expect(await auth.read(cookie)).toBe(null);
  });

  test('that come late take nothing back of those before them', async () => {
    const ended = new MemoryEndedSessions();
    ended.end({ sub: 'ada', at: 200, until: 900 });
    ended.end({ sub: 'ada', at: 100, until: 800 });
    expect(ended.hasEnded({ sub: 'ada', since: 150 })).toBe(true);
    expect(ended.hasEnded({ sub: 'ada', since: 201 })).toBe(false);
  });

  test('that the store of ended sessions could not take count when they are sent again', async () => {
    const ended = new MemoryEndedSessions();
    const end = vi.spyOn(ended, 'end').mockImplementationOnce(() => {
      throw new Error('the store is away');
    });
    auth = made({ endedSessions: ended });
    const { cookie } = await signedIn();
    await expect(notice({ jti: 'j-1' })).rejects.toThrow('the store is away');
    expect(await auth.read(cookie)).toMatchObject({ sub: 'ada' });
    // The service makes a new token of the same name for each attempt.
    expect((await notice({ jti: 'j-1', iat: now() + 5 })).status).toBe(200);
    expect(end).toHaveBeenCalledTimes(2);
    expect(await auth.read(cookie)).toBe(null);
  });

  test('count although proofs have filled their store', async () => {
    const proofs = shared('replays', () => new MemoryReplayStore());
    const full = vi.spyOn(proofs, 'add').mockReturnValue(false);
    auth = made({ replays: undefined });
    const { cookie } = await signedIn();
    expect((await notice({})).status).toBe(200);
    expect(await auth.read(cookie)).toBe(null);
    full.mockRestore();
    auth = made({ replays: new MemoryReplayStore(0) });
    expect((await notice({})).status, 'to come again where their own store is full').toBe(503);
    auth = made({ replays: { add: () => Promise.reject(new Error('the store is away')) } });
    expect((await notice({})).status, 'or out of reach').toBe(503);
  });

  test('and ID tokens follow the one setting for clocks', async () => {
    for (const [leewaySecs, status] of [[undefined, 400], [0, 400], [60, 200]] as const) {
      auth = made({ leewaySecs });
      await signedIn();
      expect((await notice({ iat: now() + 30, jti: 'ahead' })).status, `${leewaySecs}`).toBe(status);
      expect((await notice({ exp: now() - 30, jti: 'behind' })).status, `${leewaySecs}`).toBe(status);
      const { reply } = await signedIn({ iat: now() - 330, exp: now() - 30 });
      expect(reply.status, `${leewaySecs}`).toBe(status === 200 ? 302 : 500);
    }
    for (const leewaySecs of [-1, NaN, Infinity]) expect(() => made({ leewaySecs }), `${leewaySecs}`).toThrow('leewaySecs must be a number of seconds');
  });

  test('that are wrong end nothing', async () => {
    const { cookie } = await signedIn();
    const wrong: Record<string, unknown>[] = [
      { iss: 'https://evil.example' },
      { aud: 'app_2' },
      { iat: now() - 3_600 },
      { exp: now() - 60 },
      { nonce: 'n' },
      { events: {} },
      { events: undefined },
      { sid: undefined, sub: undefined },
      { jti: undefined },
    ];
    for (const claims of wrong) expect((await notice(claims)).status, JSON.stringify(claims)).toBe(400);
    expect((await notice({}, { typ: 'JWT' })).status).toBe(400);
    expect((await notice({}, { kid: 'unknown' })).status).toBe(400);
    for (const body of ['', 'logout_token=', 'logout_token=a.b.c', 'logout_token=a&logout_token=b', `logout_token=${'x'.repeat(70_000)}`]) {
      const reply = await auth.backchannelLogout(new Request(`${HOME}/auth/backchannel-logout`, { method: 'POST', body }));
      expect(reply.status).toBe(400);
    }
    expect(await auth.read(cookie)).toMatchObject({ sub: 'ada' });
  });
});

describe('the routes', () => {
  test('take their own method only, and sign-out from their own pages only', async () => {
    expect((await auth.handle(get('/auth/logout'))).status).toBe(405);
    expect((await auth.handle(get('/auth/backchannel-logout'))).status).toBe(405);
    expect((await auth.handle(get('/auth/nothing'))).status).toBe(404);
    const posted = (headers: Record<string, string>) => auth.handle(new Request(`${HOME}/auth/logout`, { method: 'POST', headers }));
    expect((await posted({})).status).toBe(403);
    expect((await posted({ origin: 'https://evil.example' })).status).toBe(403);
    expect((await posted({ origin: 'null' })).status).toBe(403);
    expect((await posted({ origin: HOME })).status).toBe(303);
    expect((await posted({ 'sec-fetch-site': 'same-origin' })).status).toBe(303);
    // A page with `Referrer-Policy: no-referrer`, and a frame that is sandboxed.
    expect((await posted({ origin: 'null', 'sec-fetch-site': 'same-origin' })).status).toBe(303);
    expect((await posted({ origin: 'null', 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await posted({ origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' })).status).toBe(403);
  });

  test('are found where paths end with a slash, and whatever folder they are in', () => {
    for (const [redirectUri, folder] of [['/auth/callback', '/auth'], ['/auth/callback/', '/auth'], ['/callback', ''], ['/shop/sign-in/back', '/shop/sign-in']] as const) {
      auth = made({ redirectUri: `${HOME}${redirectUri}` });
      expect(auth.loginUrl()).toBe(`${HOME}${folder}/login?returnTo=%2F`);
      for (const end of ['', '/']) {
        expect(auth.routeOf(`${folder}/login${end}`)).toBe('login');
        expect(auth.routeOf(redirectUri.replace(/\/$/, '') + end)).toBe('callback');
        expect(auth.routeOf(`${folder}/login/more${end}`)).toBe(undefined);
      }
      expect([auth.routeOf('/'), auth.routeOf(`${folder}//login`), auth.routeOf(`${folder}/login//`)]).toEqual([undefined, undefined, undefined]);
    }
  });

  test('pass on strength, organization and further scopes of a sign-in, and nothing else', async () => {
    const query = 'acr_values=urn:svc:aal2&organization=acme&prompt=login&scope=notes:write+openid&redirect_uri=https://evil.example&client_id=x&nonce=n';
    const reply = await auth.login(get(`/auth/login?${query}`));
    const { searchParams } = new URL(reply.headers.get('location')!);
    expect(searchParams.get('acr_values')).toBe('urn:svc:aal2');
    expect(searchParams.get('organization')).toBe('acme');
    expect(searchParams.get('scope')).toBe('openid offline_access notes:write');
    expect(searchParams.getAll('redirect_uri')).toEqual([`${HOME}/auth/callback`]);
    expect(searchParams.getAll('client_id')).toEqual([CLIENT]);
    expect(searchParams.get('nonce')).not.toBe('n');
  });

  test('refuse a sign-in that is older or weaker than was asked for, or does not say', async () => {
    const callback = async (query: string, claims: Record<string, unknown>): Promise<[number, string | undefined, boolean]> => {
      const failures: string[] = [];
      auth = made({ onError: (error) => { failures.push(error.code); return new Response(null, { status: error.status }); } });
      const { state, nonce, cookie } = await begun(query);
      issuer.serveTokens(() => ({ iss: ISSUER, aud: CLIENT, sub: 'ada', sid: 's-1', nonce, iat: now(), exp: now() + 300, ...claims }));
      const reply = await auth.callback(get(`/auth/callback?code=${CANARIES.code}&state=${state}&iss=${encodeURIComponent(ISSUER)}`, cookie));
      return [reply.status, failures[0], (await auth.read(cookies(reply, cookie))) !== null];
    };
    expect(await callback('?max_age=60', { auth_time: now() - 60 })).toEqual([302, undefined, true]);
    expect(await callback('?max_age=60', { auth_time: now() - 90 })).toEqual([400, 'max_age_exceeded', false]);
    expect(await callback('?max_age=60', {})).toEqual([502, 'invalid_response', false]);
    expect(await callback('?max_age=0', { auth_time: now() })).toEqual([302, undefined, true]);
    expect(await callback('?acr_values=urn:svc:aal2+urn:svc:aal3', { acr: 'urn:svc:aal2' })).toEqual([302, undefined, true]);
    expect(await callback('?acr_values=urn:svc:aal2', { acr: 'urn:svc:aal1' })).toEqual([400, 'acr_not_reached', false]);
    expect(await callback('?acr_values=urn:svc:aal2', { acr: 'urn:svc:aal3' })).toEqual([302, undefined, true]);
    expect(await callback('?acr_values=phr', { acr: 'urn:svc:aal3' })).toEqual([400, 'acr_not_reached', false]);
    expect(await callback('?acr_values=urn:svc:aal2', {})).toEqual([400, 'acr_not_reached', false]);
    expect(await callback('', { acr: 'urn:svc:aal1', auth_time: now() - 90_000 })).toEqual([302, undefined, true]);
  });

  test('a sign-in may take its time', async () => {
    const { state, nonce, cookie } = await begun('?max_age=0');
    const signedInAt = now();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 120_000 });
    issuer.serveTokens(() => ({ iss: ISSUER, aud: CLIENT, sub: 'ada', sid: 's-1', nonce, auth_time: signedInAt, iat: now(), exp: now() + 300 }));
    const reply = await auth.callback(get(`/auth/callback?code=${CANARIES.code}&state=${state}&iss=${encodeURIComponent(ISSUER)}`, cookie));
    vi.useRealTimers();
    expect(reply.status).toBe(302);
  });

  test('begin nothing for what a browser fetches in advance', async () => {
    const reply = await auth.login(new Request(`${HOME}/auth/login`, { headers: { 'sec-purpose': 'prefetch' } }));
    expect([reply.status, reply.headers.getSetCookie()]).toEqual([204, []]);
  });

  test('sign-out revokes, removes the cookies and leads to the service', async () => {
    const { cookie } = await signedIn();
    issuer.answers.set('/oauth/revoke', () => new Response(null, { status: 200 }));
    const reply = await auth.handle(new Request(`${HOME}/auth/logout`, { method: 'POST', headers: { origin: HOME, cookie } }));
    expect(reply.headers.get('location')).toMatch(/^https:\/\/id\.example\/oauth\/end-session\?client_id=app_1&id_token_hint=/);
    expect(reply.headers.get('location')).not.toMatch(/canary/);
    expect(cookies(reply, cookie)).toBe('');
    expect(issuer.asks('/oauth/revoke')).toBe(1);
    expect(await auth.read(cookie)).toBe(null);
  });

  test.each([['/bye', `${HOME}/bye`], ['https://bye.example/', 'https://bye.example/'], [undefined, null]])('sign-out leads back to %s', async (postLogoutRedirectUri, back) => {
    auth = made({ postLogoutRedirectUri });
    const { location } = await auth.signOut((await signedIn()).cookie);
    expect(new URL(location).searchParams.get('post_logout_redirect_uri')).toBe(back);
    expect((await auth.signOut('')).location).toBe(back ?? `${HOME}/`);
  });
});
