// The whole way against a running development server: sign-in on its pages, an API of ours, renewal, sign-out here and there.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Auth, AuthError, MemoryEndedSessions, createResourceServer, exchangeCode, createAuthorizationUrl, oauthSignOut, requireAccessToken } from '../src/index.js';
import { Browser, Person, Site, dev, register } from './running.js';

const API = 'https://api.demo.example';
const SECRETS = ['the first secret of the application, 32 or more', 'a former secret of the application, 32 or more'];

describe.skipIf(!dev)('against a running server', () => {
  let site: Site;
  let client: { client_id: string; client_secret: string };
  let auth: Auth;
  let person: Person;
  let tokenRequests = 0;
  const browser = new Browser();

  beforeAll(async () => {
    site = await Site.start();
    client = await register({
      client_name: 'Frontend server',
      redirect_uris: [`${site.origin}/auth/callback`],
      post_logout_redirect_uris: [`${site.origin}/`],
      backchannel_logout_uri: `${site.origin}/auth/backchannel-logout`,
      backchannel_logout_session_required: true,
      scope: 'openid profile email offline_access notes:read',
    });
    auth = made();
    const authorize = requireAccessToken({ issuer: dev!.issuer, audience: API, tenantId: dev!.tenant_id, scope: 'notes:read' });
    site.answer = async (request) => {
      const { pathname } = new URL(request.url);
      if (pathname.startsWith('/auth/')) return auth.handle(request);
      if (pathname !== '/api/notes') return new Response(`at ${pathname}`);
      try {
        const { claims } = await authorize(request);
        return Response.json({ sub: claims.sub });
      } catch (error) {
        return (error as AuthError).toResponse();
      }
    };
    person = new Person(dev!.user);
  });

  afterAll(() => site?.stop());

  function made(): Auth {
    return new Auth({
      issuer: dev!.issuer,
      clientId: client.client_id,
      clientSecret: client.client_secret,
      redirectUri: `${site.origin}/auth/callback`,
      postLogoutRedirectUri: `${site.origin}/`,
      cookieSecrets: SECRETS,
      scopes: ['openid', 'profile', 'email', 'offline_access', 'notes:read'],
      resource: API,
      endedSessions: new MemoryEndedSessions(),
      fetch: (url, init) => {
        if (url.endsWith('/oauth/token')) tokenRequests += 1;
        return fetch(url, init);
      },
    });
  }

  async function signIn(returnTo: string): Promise<string> {
    const begun = await browser.open(`${site.origin}/auth/login?returnTo=${encodeURIComponent(returnTo)}`);
    const callback: URL = await person.visit(begun.headers.get('location')!, `${site.origin}/auth/callback`);
    const reply = await browser.open(callback.href);
    expect(await reply.text()).toBe('');
    expect(reply.headers.get('location')).toBe(`${site.origin}${returnTo}`);
    return callback.href;
  }

  const session = async () => (await (await browser.open(`${site.origin}/auth/session`)).json()).session;

  test('a person signs in and is known; the callback opened again leads to the same page', async () => {
    expect(await session()).toBe(null);
    const callback = await signIn('/orders?page=2#top');
    const { sub, sid, scopes } = await session();
    expect(sub).toBeTruthy();
    expect(sid).toBeTruthy();
    expect(scopes).toContain('notes:read');
    const again = await browser.open(callback);
    expect(again.status).toBe(302);
    expect(again.headers.get('location')).toBe(`${site.origin}/orders?page=2#top`);
    const elsewhere = await new Browser().open(callback);
    expect(elsewhere.status).toBe(400);
    expect(await elsewhere.text()).toContain('data-code="login_expired"');
  });

  test('an address opened twice at the same time is exchanged once', async () => {
    const before = tokenRequests;
    const begun = await browser.open(`${site.origin}/auth/login`);
    const callback: URL = await person.visit(begun.headers.get('location')!, `${site.origin}/auth/callback`);
    const cookie = browser.cookie;
    const replies = await Promise.all([1, 2, 3].map(() => browser.open(callback.href, { headers: { cookie } })));
    expect(replies.map(({ status }) => status)).toEqual([302, 302, 302]);
    expect(tokenRequests - before).toBe(1);
  });

  test('the access token opens the API, and its absence does not', async () => {
    const { accessToken } = await auth.accessToken(browser.cookie);
    const headers = { authorization: `Bearer ${accessToken}` };
    const reply = await fetch(`${site.origin}/api/notes`, { headers });
    expect(await reply.json()).toEqual({ sub: (await session()).sub });
    const without = await fetch(`${site.origin}/api/notes`);
    expect(without.status).toBe(401);
    expect(without.headers.get('www-authenticate')).toBe('Bearer scope="notes:read"');
    const other = createResourceServer({ issuer: dev!.issuer, resource: 'https://other.example/mcp', tenantId: dev!.tenant_id });
    await expect(other.require()(new Request('https://other.example/mcp', { headers }))).rejects.toMatchObject({ code: 'invalid_token' });
    const tenant = requireAccessToken({ issuer: dev!.issuer, audience: API, tenantId: 'tnt_other', scope: 'notes:write' });
    await expect(tenant(new Request(API, { headers }))).rejects.toMatchObject({ code: 'forbidden', status: 403, tenant: 'tnt_other' });
    const scope = requireAccessToken({ issuer: dev!.issuer, audience: API, tenantId: dev!.tenant_id, scope: 'notes:write' });
    await expect(scope(new Request(API, { headers }))).rejects.toMatchObject({ code: 'insufficient_scope', status: 403 });
  });

  test('of twenty requests that find the token ending one renews it, and all get the new one', async () => {
    const before = tokenRequests;
    const old = (await auth.accessToken(browser.cookie)).accessToken;
    const all = await Promise.all(Array.from({ length: 20 }, () => auth.accessToken(browser.cookie, { force: true })));
    expect(tokenRequests - before).toBe(1);
    expect(new Set(all.map(({ accessToken }) => accessToken)).size).toBe(1);
    expect(all[0]!.accessToken).not.toBe(old);
    expect(all[0]!.changes.length).toBeGreaterThan(0);
    for (const { name, value } of all[0]!.changes) browser.jar.set(name, value);
    expect(await session()).toMatchObject({ sub: expect.any(String) });
  });

  test('a refused consent is told', async () => {
    const begun = await browser.open(`${site.origin}/auth/login?prompt=none&login_hint=unknown@demo.example`);
    const callback: URL = await new Person(dev!.user).visit(begun.headers.get('location')!, `${site.origin}/auth/callback`);
    const reply = await browser.open(callback.href);
    expect(reply.status).toBe(400);
    expect(await reply.text()).toContain('data-code="login_required"');
  });

  test('a sign-out at the service ends the session here', async () => {
    const lost = browser.cookie;
    const reply = await browser.open(`${site.origin}/auth/logout`, { method: 'POST' });
    expect(reply.status).toBe(403);
    const out = await browser.open(`${site.origin}/auth/logout`, { method: 'POST', headers: { origin: site.origin } });
    expect(out.status).toBe(303);
    const location = new URL(out.headers.get('location')!);
    expect(location.origin).toBe(dev!.issuer);
    expect(browser.jar.size).toBe(0);
    expect(await auth.read(lost)).toBe(null);
    expect((await person.visit(location.href, `${site.origin}/`)).href).toBe(`${site.origin}/`);
  });

  test('a back-channel logout ends the session of a browser that did nothing', async () => {
    await signIn('/');
    expect(await session()).toBeTruthy();
    let told: (body: string) => void;
    const notice = new Promise<string>((resolve) => (told = resolve));
    const answer = site.answer;
    site.answer = async (request) => {
      const copy = request.clone();
      const reply = await answer(request);
      if (request.url.endsWith('/backchannel-logout')) told(`${reply.status} ${await copy.text()}`);
      return reply;
    };
    // The person signs out at the service, by its own pages.
    const page = await person.look(`${dev!.issuer}/oauth/end-session`);
    await person.press(page, 'logout-confirm');
    expect(await notice).toMatch(/^200 logout_token=/);
    expect(await session()).toBe(null);
  });

  test('the helpers below it do the same by hand', async () => {
    const options = {
      issuer: dev!.issuer,
      clientId: client.client_id,
      clientSecret: client.client_secret,
      redirectUri: `${site.origin}/auth/callback`,
      scopes: ['openid', 'offline_access'],
      pushed: true,
    };
    const { url, ...kept } = await createAuthorizationUrl(options);
    expect(url).toContain('request_uri=');
    const back = await person.visit(url, options.redirectUri);
    const tokens = await exchangeCode(options, back.href, kept);
    expect(tokens.claims?.iss).toBe(dev!.issuer);
    const again = await exchangeCode(options, back.href, kept).catch((error: unknown) => error as AuthError);
    expect(again).toMatchObject({ code: 'invalid_grant', status: 400, requestId: expect.any(String) });
    expect(JSON.stringify(again)).not.toContain(back.searchParams.get('code'));
    const location = await oauthSignOut(options, { ...tokens, postLogoutRedirectUri: `${site.origin}/` });
    expect((await person.visit(location!, `${site.origin}/`)).href).toBe(`${site.origin}/`);
  });
});
