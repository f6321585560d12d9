import { afterEach, describe, expect, test, vi } from 'vitest';
import { type Client, type ClientOptions, type LoginOptions, SvcError, createClient } from '../src/index.js';
import { CANARY, CLIENT, ISSUER, REDIRECT, Server, json } from './server.js';

function clientOf(server: Server, extra: Partial<ClientOptions> = {}): Client {
  return createClient({
    baseURL: ISSUER,
    oauth: { clientId: CLIENT, redirectUri: REDIRECT },
    fetch: server.fetch,
    open: async (address) => server.allow(address),
    ...extra,
  });
}

async function signedIn(extra: Partial<ClientOptions> = {}, wish?: LoginOptions) {
  const server = new Server();
  const client = clientOf(server, extra);
  await client.login(wish);
  return { server, client };
}

/** The code of the error that a promise fails with; nothing secret may be in it. */
async function failure(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(() => undefined, (reason: unknown) => reason);
  expect(error).toBeInstanceOf(SvcError);
  const whole = `${JSON.stringify(error, Object.getOwnPropertyNames(error))} ${String(error)} ${(error as Error).stack}`;
  expect(whole).not.toContain(CANARY);
  expect((error as Error).cause).toBeUndefined();
  return (error as SvcError).code;
}

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('sign-in', () => {
  test('goes by a pushed request with a challenge, a state and a nonce, and shows who it is', async () => {
    const { server, client } = await signedIn();
    const pushed = server.sent.find(({ url }) => url.endsWith('/oauth/par'))?.body;
    expect(pushed?.get('code_challenge_method')).toBe('S256');
    expect(pushed?.get('state')).toHaveLength(43);
    expect(pushed?.get('nonce')).toHaveLength(43);
    expect(client.getSnapshot()).toMatchObject({ status: 'signed-in', user: { sub: 'usr_1', name: 'Ada' }, acr: 'urn:svc:aal1' });
    expect(await client.getAccessToken()).toContain('access-');
  });

  test('asks for what the caller wishes', async () => {
    let address = '';
    const server = new Server();
    const client = clientOf(server, { open: async (url) => server.allow((address = url)) });
    server.acr = 'urn:svc:aal2';
    server.age = 0;
    await client.login({ scopes: ['notes:read'], acrValues: ['urn:svc:aal2'], organization: 'initech', prompt: 'login', maxAge: 0 });
    expect(Object.fromEntries(server.asked(address))).toMatchObject({
      scope: 'openid profile email offline_access notes:read', acr_values: 'urn:svc:aal2', organization: 'initech', prompt: 'login', max_age: '0',
    });
    expect(client.getSnapshot().scopes).toContain('notes:read');
  });

  test('a sign-in that is stronger than asked for is taken', async () => {
    const { client, server } = await signedIn();
    server.acr = 'urn:svc:aal3';
    await client.login({ acrValues: ['urn:svc:aal2'] });
    expect(client.getSnapshot().acr).toBe('urn:svc:aal3');
    for (const asked of ['urn:svc:aal4', 'phr', 'urn:other', 'zzz']) expect(await failure(client.login({ acrValues: [asked] })), asked).toBe('acr_not_reached');
  });

  test('a sign-in that is weaker than asked for changes nothing', async () => {
    const { client } = await signedIn();
    const before = client.getSnapshot();
    expect(await failure(client.login({ acrValues: ['urn:svc:aal2'] }))).toBe('acr_not_reached');
    expect(client.getSnapshot()).toBe(before);
  });

  test('a sign-in that is older than asked for changes nothing, nor does one that does not say how old it is', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { client, server } = await signedIn();
    const before = client.getSnapshot();
    expect(await failure(client.login({ maxAge: 60 }))).toBe('invalid_response');
    server.age = 91;
    expect(await failure(client.login({ maxAge: 60 }))).toBe('max_age_exceeded');
    expect(client.getSnapshot()).toBe(before);
    await client.login();
    // Clocks may differ by half a minute.
    server.age = 90;
    await client.login({ maxAge: 60 });
    expect(client.getSnapshot().status).toBe('signed-in');
  });

  test('the age of a sign-in counts from when it was asked for, however long the consent takes', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const server = new Server();
    const slow = (age: number) => clientOf(server, {
      open: async (address) => {
        vi.setSystemTime(Date.now() + 120_000);
        server.age = age;
        return server.allow(address);
      },
    }).login({ maxAge: 0 });
    await slow(120);
    expect(await failure(slow(200))).toBe('max_age_exceeded');
  });

  test('a refused consent is told by its code', async () => {
    const server = new Server();
    const client = clientOf(server, { open: async (address) => server.refuse(address) });
    expect(await failure(client.login())).toBe('access_denied');
    expect(client.getSnapshot().status).toBe('signed-out');
  });

  test.each([
    ['https://evil.example/'], ['//evil.example'], ['/\\evil.example'], ['javascript:alert(1)'], ['http://shop.example/'],
    ['https://shop.example:444/'], ['https://user@shop.example/'], ['https://shop.example//evil.example'], ['data:text/html,x'],
  ])('returnTo %s is refused before anything is sent', async (returnTo) => {
    const server = new Server();
    const client = clientOf(server);
    expect(await failure(client.login({ returnTo }))).toBe('invalid_return_to');
    expect(await failure(client.logout({ returnTo }))).toBe('invalid_return_to');
    expect(server.sent).toHaveLength(0);
  });
});

describe('a callback', () => {
  async function begun(change: (url: URL) => void): Promise<string> {
    const server = new Server();
    const client = clientOf(server, {
      open: async (address) => {
        const url = new URL(server.allow(address));
        change(url);
        return url.href;
      },
    });
    const code = await failure(client.login());
    expect(server.sent.some(({ url }) => url.endsWith('/oauth/token'))).toBe(false);
    return code;
  }

  test('without state', async () => expect(await begun((url) => url.searchParams.delete('state'))).toBe('missing_state'));
  test('with another state', async () => expect(await begun((url) => url.searchParams.set('state', 'x'))).toBe('state_mismatch'));
  test('of another issuer', async () => expect(await begun((url) => url.searchParams.set('iss', 'https://evil.example'))).toBe('issuer_mismatch'));
  test('without issuer', async () => expect(await begun((url) => url.searchParams.delete('iss'))).toBe('missing_issuer'));
  test('without code', async () => expect(await begun((url) => url.searchParams.delete('code'))).toBe('missing_code'));
  test('with two codes', async () => expect(await begun((url) => url.searchParams.append('code', 'x'))).toBe('duplicate_parameter'));
  test('an error that is no code is not repeated', async () =>
    expect(await begun((url) => url.searchParams.set('error', `${CANARY} <b>`))).toBe('server_error'));

  test('counts once, and the same call twice is one', async () => {
    const server = new Server();
    let back = '';
    const client = clientOf(server, { open: async (address) => (back = server.allow(address)) });
    await client.login();
    await client.handleCallback(back);
    expect(server.sent.filter(({ url }) => url.endsWith('/oauth/token'))).toHaveLength(1);
    // Another tab has no transaction for it.
    expect(await failure(clientOf(server).handleCallback(back))).toBe('state_mismatch');
  });

  test('an ID token with another nonce is refused', async () => {
    const server = new Server();
    const client = clientOf(server, {
      open: async (address) => {
        server.asked(address).set('nonce', 'x');
        return server.allow(address);
      },
    });
    expect(await failure(client.login())).toBe('invalid_response');
  });

  test('a clock that is ten minutes fast is told by its code, and so is one whose renewal shows it', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const right = Date.now();
    const server = new Server();
    const client = clientOf(server);
    server.after = (path) => path === '/oauth/token' && vi.setSystemTime(right + 600_000);
    server.before = (path) => void (path === '/oauth/token' && vi.setSystemTime(right));
    expect(await failure(client.login())).toBe('clock_skew');
    expect(client.getSnapshot().status).toBe('signed-out');
    server.after = () => {};
    await client.login();
    server.after = (path) => path === '/oauth/token' && vi.setSystemTime(right + 600_000);
    expect(await failure(client.getAccessToken({ force: true }))).toBe('clock_skew');
    expect(client.getSnapshot().status).toBe('signed-in');
  });

  test('a clock that is ten minutes slow hinders nothing: lifetimes are counted from the answer', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const right = Date.now();
    const server = new Server();
    server.before = () => void vi.setSystemTime(right);
    server.after = () => vi.setSystemTime(right - 600_000);
    const client = clientOf(server);
    await client.login();
    const first = await client.getAccessToken();
    expect(await client.getAccessToken()).toBe(first);
    expect(await client.getAccessToken({ force: true })).not.toBe(first);
  });

  test('isCallback knows the redirect URI and nothing else', () => {
    const client = clientOf(new Server());
    expect(client.isCallback(`${REDIRECT}?code=a&state=b`)).toBe(true);
    expect(client.isCallback(`${REDIRECT}?error=a&state=b`)).toBe(true);
    for (const url of [REDIRECT, `${REDIRECT}x?code=a&state=b`, 'https://evil.example/callback?code=a&state=b', 'nonsense']) {
      expect(client.isCallback(url)).toBe(false);
    }
  });
});

describe('renewal', () => {
  const forced = { force: true };

  test('a token that is good is not renewed, one that ends soon is', async () => {
    const { server, client } = await signedIn();
    const first = await client.getAccessToken();
    expect(await client.getAccessToken()).toBe(first);
    vi.useFakeTimers({ toFake: ['Date'] });
    vi.setSystemTime(Date.now() + 280_000);
    expect(await client.getAccessToken()).not.toBe(first);
    expect(server.refreshes()).toBe(1);
  });

  test('many callers get one renewal', async () => {
    const { server, client } = await signedIn();
    const tokens = await Promise.all(Array.from({ length: 20 }, () => client.getAccessToken(forced)));
    expect(new Set(tokens).size).toBe(1);
    expect(server.refreshes()).toBe(1);
  });

  test('a lost answer is asked for again, and is the same', async () => {
    const { server, client } = await signedIn();
    let lost = 0;
    server.after = (path) => {
      if (path === '/oauth/token' && (lost += 1) === 1) throw new TypeError('connection reset');
    };
    expect(await client.getAccessToken(forced)).toContain('access-');
    expect(server.refreshes()).toBe(2);
    server.after = () => {};
    expect(await client.getAccessToken(forced)).toContain('access-');
  });

  test('a server that is down costs no session', async () => {
    const { server, client } = await signedIn();
    server.before = (path) => (path === '/oauth/token' ? json({ error: 'server_error' }, 503) : undefined);
    expect(await failure(client.getAccessToken(forced))).toBe('server_error');
    expect(client.getSnapshot().status).toBe('signed-in');
  });

  test('a server that says when to come back is not asked sooner, and the caller hears of it', async () => {
    const { server, client } = await signedIn();
    server.before = (path) => (path === '/oauth/token' ? json({ error: 'temporarily_unavailable' }, 503, { 'retry-after': '120' }) : undefined);
    const error = await client.getAccessToken(forced).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'server_error', status: 503, retryAfter: '120' });
    expect(server.refreshes()).toBe(1);
    expect(client.getSnapshot().status).toBe('signed-in');
  });

  test('an ended family ends the session, with the number of the request', async () => {
    const { server, client } = await signedIn();
    server.live.clear();
    expect(await failure(client.getAccessToken(forced))).toBe('session_ended');
    expect(client.getSnapshot()).toMatchObject({ status: 'signed-out', user: null, error: { code: 'session_ended', requestId: 'req_1' } });
    expect(await failure(client.getAccessToken())).toBe('login_required');
  });

  test('another person in the answer is refused', async () => {
    const { server, client } = await signedIn();
    server.sub = 'usr_2';
    expect(await failure(client.getAccessToken(forced))).toBe('invalid_response');
  });

  /** Signed in by a `fetch` that does something else around the first renewal. */
  async function interrupted(around: (client: Client, server: Server, send: () => Promise<Response>) => Promise<Response>) {
    const server = new Server();
    let isFirst = true;
    const client: Client = clientOf(server, {
      fetch: (input, init) => {
        const send = () => server.fetch(input, init);
        if (!isFirst || !String(init?.body).includes('grant_type=refresh_token')) return send();
        isFirst = false;
        return around(client, server, send);
      },
    });
    await client.login();
    return { server, client };
  }

  test('a grant for another API that comes while an answer is on its way is not lost', async () => {
    const api = 'https://api.example';
    const { client } = await interrupted(async (own, _, send) => {
      const answer = await send();
      await own.login({ resource: api });
      return answer;
    });
    const renewed = await client.getAccessToken(forced);
    expect(await client.getAccessToken()).toBe(renewed);
    expect(await client.getAccessToken({ resource: api })).not.toBe(renewed);
  });

  test('a person who signs in while the answer for another one is on its way stays', async () => {
    const { client } = await interrupted(async (own, server, send) => {
      const answer = await send();
      server.sub = 'usr_2';
      await own.login();
      return answer;
    });
    expect(await failure(client.getAccessToken(forced))).toBe('login_required');
    expect(client.getSnapshot()).toMatchObject({ status: 'signed-in', user: { sub: 'usr_2' } });
  });

  test('the end of a family does not end what was signed in meanwhile', async () => {
    const { client } = await interrupted(async (own, server, send) => {
      server.live.clear();
      await own.login();
      return send();
    });
    expect(await failure(client.getAccessToken(forced))).toBe('login_required');
    expect(client.getSnapshot().status).toBe('signed-in');
    expect(await client.getAccessToken(forced)).toContain('access-');
  });

  test('fewer scopes get a token of their own, more are refused without a request', async () => {
    const { server, client } = await signedIn();
    const whole = await client.getAccessToken();
    expect(await client.getAccessToken({ scopes: ['openid'] })).not.toBe(whole);
    expect(server.sent.at(-1)?.body.get('scope')).toBe('openid');
    expect(await client.getAccessToken()).toBe(whole);
    expect(await failure(client.getAccessToken({ scopes: ['admin'] }))).toBe('insufficient_scope');
    expect(await failure(client.getAccessToken({ resource: 'https://api.example' }))).toBe('login_required');
  });

  test('each API has a grant of its own', async () => {
    const { server, client } = await signedIn();
    const api = 'https://api.example';
    await client.login({ resource: api, scopes: ['notes:read'] });
    expect(await client.getAccessToken({ resource: api })).not.toBe(await client.getAccessToken());
    await client.getAccessToken({ resource: api, force: true });
    expect(server.sent.at(-1)?.body.get('resource')).toBe(api);
    await client.switchOrganization('initech');
    expect(server.sent.slice(-2).map(({ body }) => [body.get('resource'), body.get('organization')])).toEqual([[null, 'initech'], [api, 'initech']]);
  });
});

test('a switch of organizations that lacks a refresh token for one API is an error, and keeps the session', async () => {
  const { server, client } = await signedIn();
  server.renews = false;
  await client.login({ resource: 'https://api.example' });
  server.renews = true;
  expect(await failure(client.switchOrganization('initech'))).toBe('login_required');
  expect(client.getSnapshot()).toMatchObject({ status: 'signed-in', error: null });
  expect(await client.getAccessToken()).toContain('access-');
});

describe('tabs', () => {
  function lockManager() {
    let queue: Promise<unknown> = Promise.resolve();
    return { request: (_: string, act: () => Promise<unknown>) => (queue = queue.then(act, act)) };
  }

  test.each(['memory', 'local'] as const)('twenty with %s storage make one renewal, and sign out together', async (storage) => {
    const kept = new Map<string, string>();
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => kept.set(key, value), removeItem: (key: string) => kept.delete(key),
    });
    vi.stubGlobal('navigator', { locks: lockManager() });
    const server = new Server();
    const open = () => clientOf(server, { storage, tabs: true });
    const first = open();
    await first.login();
    const all = [first, ...Array.from({ length: 19 }, open)];
    for (const state of await Promise.all(all.map((client) => client.ready()))) expect(state.user?.sub).toBe('usr_1');
    const tokens = await Promise.all(all.map((client) => client.getAccessToken({ force: true })));
    expect(new Set(tokens).size).toBe(1);
    expect(server.refreshes()).toBe(1);
    await all[7]?.logout();
    await vi.waitFor(() => expect(all.every((client) => client.getSnapshot().status === 'signed-out')).toBe(true), { timeout: 30_000 });
  });

  test('a session of another shape, which a tab of another version sends, changes nothing, and a sign-out counts', async () => {
    const id = crypto.randomUUID();
    const server = new Server(ISSUER, id);
    const open = () => clientOf(server, { oauth: { clientId: id, redirectUri: REDIRECT }, tabs: true });
    const [first, second] = [open(), open()];
    await first.login();
    expect((await second.ready()).status).toBe('signed-in');
    const seen = vi.fn();
    first.subscribe(seen);
    const other = new BroadcastChannel(`svc:${ISSUER}:${id}`);
    const rev = Date.now() + 60_000;
    const shapes = [
      'canary', '{', '7', '{}', { rev, user: { sub: 'usr_2' }, grants: {} }, JSON.stringify({ rev, user: { sub: 'usr_2' } }),
      JSON.stringify({ rev, user: {}, grants: {} }), JSON.stringify({ rev, user: { sub: 'usr_2' }, grants: { '': { scope: ['openid'] } } }),
    ];
    for (const s of shapes) other.postMessage({ t: 'set', s, rev, k: true });
    other.postMessage({ t: 'another' });
    // What is sent later by a tab of this version is heard later too.
    const token = await second.getAccessToken({ force: true });
    await vi.waitFor(async () => expect(await first.getAccessToken()).toBe(token), { timeout: 30_000 });
    expect(first.getSnapshot()).toMatchObject({ status: 'signed-in', user: { sub: 'usr_1' } });
    expect(seen).toHaveBeenCalledTimes(1);
    other.postMessage({ t: 'set', s: undefined, rev, k: true });
    await vi.waitFor(() => expect(first.getSnapshot().status).toBe('signed-out'), { timeout: 30_000 });
    other.close();
  });
});

describe('storage', () => {
  test('a session that another tab sends while an older one is read counts', async () => {
    const server = new Server();
    const kept = new Map<string, string>();
    const memory = { get: (key: string) => kept.get(key), set: (key: string, value: string) => void kept.set(key, value), remove: (key: string) => void kept.delete(key) };
    const first = clientOf(server, { storage: memory, tabs: true });
    await first.login();
    const older = new Map(kept);
    let goOn = () => {};
    const reading = new Promise<void>((resolve) => { goOn = resolve; });
    const slow = { ...memory, get: (key: string) => reading.then(() => older.get(key)), set: () => {} };
    const second = clientOf(server, { storage: slow, tabs: true });
    const ready = second.ready();
    const newer = await first.getAccessToken({ force: true });
    await vi.waitFor(() => expect(second.getSnapshot().status).toBe('signed-in'), { timeout: 30_000 });
    goOn();
    await ready;
    expect(await second.getAccessToken()).toBe(newer);
  });

  test('what is kept comes back, and a storage that is full or blocked is said and does no harm', async () => {
    const server = new Server();
    const kept = new Map<string, string>();
    const place = { isShared: true, get: (key: string) => kept.get(key), set: (key: string, value: string) => void kept.set(key, value), remove: (key: string) => void kept.delete(key) };
    await clientOf(server, { storage: place }).login();
    expect(await clientOf(server, { storage: place }).ready()).toMatchObject({ status: 'signed-in', error: null });

    const full = { ...place, set: () => { throw new SvcError('storage_unavailable'); } };
    const client = clientOf(server, { storage: full });
    await client.login();
    expect(client.getSnapshot()).toMatchObject({ status: 'signed-in', error: { code: 'storage_unavailable' } });
    expect(await client.getAccessToken({ force: true })).toContain('access-');
    expect(await clientOf(server, { storage: 'session' }).ready()).toMatchObject({ status: 'signed-out', error: { code: 'storage_unavailable' } });
    expect(await clientOf(server, { storage: 'indexeddb' }).ready()).toMatchObject({ status: 'signed-out', error: { code: 'storage_unavailable' } });
  });

  test.each(['from the start', 'later'])('that is full %s costs the other tabs nothing, and leaves no spent token for a reload', async (when) => {
    const server = new Server();
    const kept = new Map<string, string>();
    let isFull = when === 'from the start';
    const place = {
      isShared: true, get: (key: string) => kept.get(key), remove: (key: string) => void kept.delete(key),
      set: (key: string, value: string) => {
        if (isFull) throw new SvcError('storage_unavailable');
        kept.set(key, value);
      },
    };
    const first = clientOf(server, { storage: place, tabs: true });
    const second = clientOf(server, { storage: place, tabs: true });
    await second.ready();
    await first.login();
    await vi.waitFor(() => expect(second.getSnapshot().status).toBe('signed-in'), { timeout: 30_000 });
    isFull = true;
    for (const tab of [first, second, first]) {
      const renewed = await tab.getAccessToken({ force: true });
      for (const one of [first, second]) await vi.waitFor(async () => expect(await one.getAccessToken()).toBe(renewed), { timeout: 30_000 });
    }
    expect(first.getSnapshot()).toMatchObject({ status: 'signed-in', error: { code: 'storage_unavailable' } });
    expect(server.refreshes()).toBe(3);
    expect(await clientOf(server, { storage: place }).ready()).toMatchObject({ status: 'signed-out', error: null });
    isFull = false;
    await first.getAccessToken({ force: true });
    expect(await clientOf(server, { storage: place }).ready()).toMatchObject({ status: 'signed-in' });
    await second.logout({ local: true });
    await vi.waitFor(() => expect(first.getSnapshot().status).toBe('signed-out'), { timeout: 30_000 });
    expect(kept.size).toBe(0);
  });

  test.each([
    '{"rev":', 'null', '{}', '5', '"x"', '{"user":{}}', '[]', '{"rev":1,"user":{"sub":"usr_1"},"grants":"none"}',
    '{"rev":1,"user":{"sub":"usr_1"},"main":"","grants":{"":{}}}', '{"rev":1,"user":{"sub":"usr_1"},"main":"","grants":{"":null}}',
    '{"rev":1,"user":{"sub":"usr_1"},"main":"","grants":{"":{"scope":["openid"],"tokens":{}}}}',
    '{"rev":1,"user":{"sub":"usr_1"},"main":"","grants":{"":{"scope":"openid"}}}',
    '{"user":{"sub":"usr_1"},"main":"","grants":{"":{"scope":"openid","tokens":{}}}}',
  ])('what is no session counts as none, and goes: %s', async (rubbish) => {
    const server = new Server();
    const kept = new Map<string, string>();
    const place = { get: () => [...kept.values()][0], set: (key: string, value: string) => void kept.set(key, value), remove: (key: string) => void kept.delete(key) };
    kept.set(`svc:${ISSUER}:${CLIENT}`, rubbish);
    const client = clientOf(server, { storage: place });
    expect(await client.ready()).toMatchObject({ status: 'signed-out', user: null, error: null });
    expect(kept.size).toBe(0);
    await client.login();
    expect(await clientOf(server, { storage: place }).ready()).toMatchObject({ status: 'signed-in' });
  });
});

describe('the rest', () => {
  test('sign-out gives the refresh tokens back, and no address has a token', async () => {
    const { server, client } = await signedIn();
    const listener = vi.fn();
    client.subscribe(listener);
    await client.logout();
    expect(server.sent.at(-1)?.url).toBe(`${ISSUER}/oauth/revoke`);
    expect(server.sent.at(-1)?.body.get('token')).toContain('refresh-');
    expect(listener).toHaveBeenCalled();
    for (const { url } of server.sent) expect(url).not.toContain(CANARY);
  });

  test('fetch sends the token in a header, and a 401 is tried once more with a new one', async () => {
    const { server, client } = await signedIn();
    let refusals = 0;
    server.before = (path) => (path === '/notes' && (refusals += 1) === 1 ? json({}, 401) : undefined);
    const response = await client.fetch('https://api.example/notes');
    expect(response.status).toBe(200);
    const [first, second] = server.sent.filter(({ url }) => url.endsWith('/notes')).map(({ headers }) => headers.get('authorization'));
    expect(first).toMatch(/^Bearer access-/);
    expect(second).not.toBe(first);
  });

  test('bound tokens go with proofs by a key that cannot be exported, and a nonce is taken up', async () => {
    const generated = vi.spyOn(crypto.subtle, 'generateKey');
    const server = new Server();
    let asked = false;
    server.before = (path) => {
      if (path !== '/oauth/token' || asked) return undefined;
      asked = true;
      return json({ error: 'use_dpop_nonce' }, 400, { 'dpop-nonce': 'a-nonce' });
    };
    const client = clientOf(server, { dpop: true });
    await client.login();
    expect(generated.mock.calls[0]?.[1]).toBe(false);
    const proofs = server.sent.filter(({ url }) => url.endsWith('/oauth/token')).map(({ headers }) => headers.get('dpop') ?? '');
    const payloads = proofs.map((proof) => JSON.parse(Buffer.from(proof.split('.')[1] as string, 'base64url').toString()));
    expect(payloads).toMatchObject([{ htm: 'POST', htu: `${ISSUER}/oauth/token` }, { nonce: 'a-nonce' }]);
    expect(payloads[0].jti).not.toBe(payloads[1].jti);
    await client.fetch('https://api.example/notes?q=1');
    const { headers } = server.sent.at(-1) as { headers: Headers };
    expect(headers.get('authorization')).toMatch(/^DPoP /);
    const payload = JSON.parse(Buffer.from((headers.get('dpop') as string).split('.')[1] as string, 'base64url').toString());
    expect(payload).toMatchObject({ htu: 'https://api.example/notes', htm: 'GET' });
    expect(payload.ath).toHaveLength(43);
  });

  test('requests that learn the same nonce at once are all sent again with it, but for a stream, which is spent', async () => {
    const { server, client } = await signedIn({ dpop: true });
    server.before = (path) => {
      const [, payload = ''] = server.sent.at(-1)?.headers.get('dpop')?.split('.') ?? [];
      if (path !== '/notes' || Buffer.from(payload, 'base64url').toString().includes('"nonce":"n-1"')) return undefined;
      return json({}, 401, { 'www-authenticate': 'DPoP error="use_dpop_nonce"', 'dpop-nonce': 'n-1' });
    };
    const notes = 'https://api.example/notes';
    const answers = await Promise.all(Array.from({ length: 5 }, () => client.fetch(notes)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(server.refreshes()).toBe(0);
    server.before = () => json({ error: 'use_dpop_nonce' }, 401, { 'dpop-nonce': 'n-2' });
    const before = server.sent.length;
    expect((await client.fetch(notes, { method: 'POST', body: new ReadableStream(), duplex: 'half' } as RequestInit)).status).toBe(401);
    expect(server.sent).toHaveLength(before + 1);
  });

  test('creating a client touches nothing', () => {
    const client = createClient({ baseURL: ISSUER, oauth: { clientId: CLIENT, redirectUri: REDIRECT }, storage: 'local' });
    expect(client.getSnapshot().status).toBe('loading');
    expect(client.getSnapshot()).toBe(client.getSnapshot());
  });
});
