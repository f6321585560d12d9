// The hook on events of SvelteKit's shape: protected pages, renewal, foreign forms, sign-outs.
import type { Handle, RequestEvent } from '@sveltejs/kit';
import { beforeEach, expect, test } from 'vitest';
import { Browser, HOME, notice, optionsOf, tell } from '../../frontend-server/test/browser.js';
import { AUDIENCE, ISSUER, Issuer, TENANT } from '../../frontend-server/test/issuer.js';
import { type LocalAuth, createAuthHandlers, requireAccessToken } from '../src/index.js';

let issuer: Issuer;
let browser: Browser;
let handle: Handle;
beforeEach(async () => {
  issuer = await Issuer.make();
  browser = new Browser();
  ({ handle } = createAuthHandlers(() => optionsOf(issuer), { protect: ['/account'] }));
});

/** Serves a request as SvelteKit does: redirects are thrown, cookies are collected. */
async function served(request: Request, page: (auth: LocalAuth) => unknown = ({ session }) => session): Promise<Response> {
  const set = new Headers();
  const cookies = {
    getAll: () => [...browser.jar].map(([name, value]) => ({ name, value })),
    set(name: string, value: string, { maxAge }: { maxAge: number }) {
      set.append('set-cookie', `${name}=${value}; Max-Age=${maxAge}`);
      if (maxAge === 0) browser.jar.delete(name);
      else browser.jar.set(name, value);
    },
  };
  const event = { request, url: new URL(request.url), cookies, locals: {}, isDataRequest: false, isRemoteRequest: request.headers.has('x-sveltekit-pathname') } as unknown as RequestEvent;
  try {
    const resolve = async () => Response.json(await page((event.locals as { auth: LocalAuth }).auth), { headers: set });
    return await handle({ event, resolve });
  } catch (thrown) {
    const { status, location } = thrown as { status: number; location: string };
    if (!location) throw thrown;
    set.set('location', location);
    return new Response(null, { status, headers: set });
  }
}

test('a stranger is led from a protected page to the sign-in and back, and no further elsewhere', async () => {
  const away = await served(browser.request('/account/bills?year=7'));
  expect([away.status, away.headers.get('location')]).toEqual([302, `/auth/login?returnTo=${encodeURIComponent('/account/bills?year=7')}`]);
  expect((await served(browser.request('/account', { headers: { accept: 'application/json' } }))).status).toBe(401);
  expect(await (await served(browser.request('/accounting'))).json()).toBe(null);
  const back = await browser.signIn(issuer, served);
  expect(back.headers.get('location')).toBe(`${HOME}/orders`);
  expect(await (await served(browser.request('/account'))).json()).toMatchObject({ sub: 'ada' });
});

test.each(['/%61ccount', '/account%2Fbills', '//account', '/ACCOUNT/bills', '/account/', '/%ff'])('a stranger who spells a protected page as %s gets no further', async (path) => {
  expect((await served(browser.request(path))).status).toBe(302);
});

test('a session whose token ends is renewed, and its cookies are set', async () => {
  await browser.signIn(issuer, served, { expires_in: 1 });
  const before = browser.cookie;
  tell(issuer);
  const reply = await served(browser.request('/account'), ({ getAccessToken }) => getAccessToken());
  expect(reply.headers.getSetCookie().length).toBeGreaterThan(0);
  expect(browser.cookie).not.toBe(before);
  expect(issuer.asks('/oauth/token')).toBe(2);
  expect(await reply.json()).toMatch(/^ey/);
});

test('a token that an API refused is renewed at once', async () => {
  await browser.signIn(issuer, served);
  tell(issuer);
  const reply = await served(browser.request('/account'), ({ getAccessToken }) => getAccessToken({ force: true }));
  expect(reply.headers.getSetCookie().length).toBeGreaterThan(0);
  expect(issuer.asks('/oauth/token')).toBe(2);
});

test('a form or a remote function whose session has ended leads to the sign-in and back to its page, with and without scripts', async () => {
  const scripted = { origin: HOME, accept: 'application/json', 'x-sveltekit-action': 'true' };
  const sent = [browser.form('/account?/leave', { name: 'x' }), browser.request('/account?/leave', { method: 'POST', body: new URLSearchParams({ name: 'x' }), headers: scripted })];
  sent.push(browser.request('/account', { method: 'POST', body: '{}', headers: { origin: HOME, accept: '*/*', 'content-type': 'application/json', 'x-sveltekit-pathname': '/account' } }));
  for (const request of sent) {
    const reply = await served(request);
    expect([reply.status, reply.headers.get('location')]).toEqual([303, '/auth/login?returnTo=%2Faccount']);
  }
  const api = await served(browser.request('/account', { method: 'POST', body: '{}', headers: { accept: 'application/json', 'content-type': 'application/json' } }));
  expect(api.status).toBe(401);
});

test('a script that is refused takes the cookies of a session that has ended away', async () => {
  await browser.signIn(issuer, served, { expires_in: 1 });
  issuer.answers.set('/oauth/token', () => Response.json({ error: 'invalid_grant' }, { status: 400 }));
  const sent = browser.request('/account', { headers: { accept: 'application/json' } });
  const names = [...browser.jar.keys()];
  const reply = await served(sent);
  expect(reply.status).toBe(401);
  expect(names.length).toBeGreaterThan(0);
  for (const name of names) expect(reply.headers.getSetCookie()).toContainEqual(expect.stringMatching(new RegExp(`^${name}=; .*Max-Age=0`)));
});

test('forms of other sites are refused; notices of the service, which have no origin, are taken', async () => {
  await browser.signIn(issuer, served);
  expect((await served(browser.form('/account', { name: 'x' }, 'https://evil.example'))).status).toBe(403);
  expect((await served(browser.form('/account', { name: 'x' }))).status).toBe(200);
  expect((await served(await notice(issuer))).status).toBe(200);
  expect((await served(browser.request('/account'))).status).toBe(302);
});

test('an action signs out here and at the service', async () => {
  await browser.signIn(issuer, served);
  const reply = await served(browser.form('/account', {}), ({ signOut }) => signOut());
  expect([reply.status, reply.headers.get('location')?.startsWith(`${ISSUER}/oauth/end-session`)]).toEqual([303, true]);
  expect(browser.jar.size).toBe(0);
  const again = await served(browser.form('/', {}), ({ signIn }) => signIn('/orders', { prompt: 'login' }));
  expect(again.headers.get('location')).toMatch(/^\/auth\/login\?.*returnTo=%2Forders/);
});

test('a page that is prerendered needs no settings, has no session, and is none of those that are protected', async () => {
  const unset = () => {
    throw new Error('Cannot read values from $env/dynamic/private while prerendering');
  };
  const built = createAuthHandlers(unset, { protect: ['/account'], building: true });
  const made = async (path: string, id: string | null = path) => {
    const event = { request: new Request(`${HOME}${path}`), url: new URL(`${HOME}${path}`), route: { id }, locals: {} } as unknown as RequestEvent;
    const resolve = async () => (id === null ? new Response('Not found', { status: 404 }) : Response.json((event.locals as { auth: LocalAuth }).auth));
    return { reply: await built.handle({ event, resolve }), auth: (event.locals as { auth: LocalAuth }).auth };
  };
  const { reply, auth } = await made('/about');
  expect(await reply.json()).toEqual({ session: null });
  for (const act of [() => auth.getAccessToken(), () => auth.signOut(), async () => auth.signIn()]) {
    await expect(act()).rejects.toMatchObject({ code: 'invalid_configuration' });
  }
  expect((await made('/auth/login', null)).reply.status).toBe(204);
  expect((await made('/nowhere', null)).reply.status).toBe(404);
  expect((await made('/login')).reply.status).toBe(200);
  await expect(made('/account/terms')).rejects.toThrow('protect names a page');
});

test('an endpoint takes requests with a good access token only', async () => {
  const rules = { issuer: ISSUER, audience: AUDIENCE, tenantId: TENANT, scope: 'notes:read', fetch: issuer.fetch };
  const GET = requireAccessToken(rules, async () => new Response('notes'));
  const event = (headers: Record<string, string>) => ({ request: new Request(AUDIENCE, { headers }) }) as unknown as RequestEvent;
  expect((await GET(event({}))).status).toBe(401);
  expect(await (await GET(event({ authorization: `Bearer ${await issuer.accessToken()}` }))).text()).toBe('notes');
});
