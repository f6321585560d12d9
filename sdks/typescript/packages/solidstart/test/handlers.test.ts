// Routes, middleware and what server functions ask, on events of SolidStart's shape.
import { beforeEach, expect, test, vi } from 'vitest';
import { Browser, HOME, notice, optionsOf, tell } from '../../frontend-server/test/browser.js';
import { ISSUER, Issuer } from '../../frontend-server/test/issuer.js';
import { type AuthHandlers, type ServerEvent, createAuthHandlers } from '../src/index.js';

const serving = vi.hoisted(() => ({ event: undefined as unknown }));
vi.mock('solid-js/web', () => ({ getRequestEvent: () => serving.event }));

let issuer: Issuer;
let browser: Browser;
let auth: AuthHandlers;
beforeEach(async () => {
  issuer = await Issuer.make();
  browser = new Browser();
  auth = createAuthHandlers(() => optionsOf(issuer));
});

/** Serves a request as SolidStart does: the middleware, then a route or what a server function does. */
async function served(request: Request, work: () => unknown = () => auth.auth()): Promise<Response> {
  const event: ServerEvent = { request, response: { headers: new Headers() }, locals: {} };
  serving.event = event;
  try {
    const refused = await auth.onRequest({ protect: ['/account'] })(event);
    if (refused) return refused;
    if (new URL(request.url).pathname.startsWith('/auth/')) return await (request.method === 'GET' ? auth.GET(event) : auth.POST(event));
    const reply = Response.json(await work(), { headers: event.response.headers });
    browser.keep(reply.headers);
    return reply;
  } finally {
    serving.event = undefined;
  }
}

test('a stranger is led from a protected page to the sign-in and back, and no further elsewhere', async () => {
  const away = await served(browser.request('/account/bills?year=7'));
  expect(away.status).toBe(302);
  expect(away.headers.get('location')).toContain(`/auth/login?returnTo=${encodeURIComponent('/account/bills?year=7')}`);
  expect((await served(browser.request('/account', { headers: { accept: 'application/json' } }))).status).toBe(401);
  expect(await (await served(browser.request('/accounting'))).json()).toBe(null);
  const back = await browser.signIn(issuer, served);
  expect(back.headers.get('location')).toBe(`${HOME}/orders`);
  expect(await (await served(browser.request('/account'))).json()).toMatchObject({ sub: 'ada' });
});

test('a form whose session has ended leads to the sign-in and back to its page', async () => {
  const away = await served(browser.request('/account/bills?/pay', { method: 'POST' }));
  expect(away.status).toBe(303);
  expect(away.headers.get('location')).toMatch(/\/auth\/login\?returnTo=%2Faccount%2Fbills$/);
  const script = await served(browser.request('/account/bills', { method: 'POST', headers: { accept: 'text/x-component' } }));
  expect(script.status).toBe(401);
});

test.each(['/%61ccount', '/account%2Fbills', '//account', '/ACCOUNT/bills', '/account/', '/%ff'])('a stranger who spells a protected page as %s gets no further', async (path) => {
  expect((await served(browser.request(path))).status).toBe(302);
});

test('a session whose token ends is renewed once for the request, and its cookies are set', async () => {
  await browser.signIn(issuer, served, { expires_in: 1 });
  const before = browser.cookie;
  tell(issuer);
  const reply = await served(browser.request('/account'), () => auth.getAccessToken());
  expect(reply.headers.getSetCookie().length).toBeGreaterThan(0);
  expect(browser.cookie).not.toBe(before);
  expect(issuer.asks('/oauth/token')).toBe(2);
});

test('a token that an API refused is renewed at once', async () => {
  await browser.signIn(issuer, served);
  tell(issuer);
  const reply = await served(browser.request('/account'), () => auth.getAccessToken({ force: true }));
  expect(reply.headers.getSetCookie().length).toBeGreaterThan(0);
  expect(issuer.asks('/oauth/token')).toBe(2);
});

test('a server function gets the address of a sign-in that leads back, as strong as it says', async () => {
  const reply = await served(browser.form('/orders', {}), () => auth.signIn('/orders?page=2', { acr_values: 'urn:svc:aal2' }));
  const { origin, pathname, searchParams } = new URL(await reply.json());
  expect([origin + pathname, searchParams.get('returnTo'), searchParams.get('acr_values')]).toEqual([`${HOME}/auth/login`, '/orders?page=2', 'urn:svc:aal2']);
});

test('a form of another site signs no one out; notices of the service, which have no origin, are taken', async () => {
  await browser.signIn(issuer, served);
  expect((await served(browser.form('/auth/logout', {}, 'https://evil.example'))).status).toBe(403);
  expect((await served(browser.request('/account'))).status).toBe(200);
  expect((await served(await notice(issuer))).status).toBe(200);
  expect((await served(browser.request('/account'))).status).toBe(302);
});

test('a server function signs out here and at the service; outside of requests there is no one to ask about', async () => {
  await browser.signIn(issuer, served);
  const reply = await served(browser.form('/account', {}), () => auth.signOut());
  expect(await reply.json()).toContain(`${ISSUER}/oauth/end-session`);
  expect(browser.jar.size).toBe(0);
  await expect(auth.auth()).rejects.toThrow(/while it serves a request/);
});
