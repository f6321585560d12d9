// The App Router's side: route handlers, the proxy, components and actions, with Next.js' own requests and answers.
import { NextRequest } from 'next/server.js';
import { beforeEach, expect, test, vi } from 'vitest';
import { Browser, HOME, notice, optionsOf, tell } from '../../frontend-server/test/browser.js';
import { ISSUER, Issuer } from '../../frontend-server/test/issuer.js';
import { type AuthHandlers, createAuthHandlers } from '../src/index.js';

const world = vi.hoisted(() => ({ jar: new Map<string, string>(), isAction: false }));
vi.mock('next/headers.js', () => ({
  cookies: async () => {
    const changing = (change: () => void) => {
      if (!world.isAction) throw new Error('Cookies can only be modified in a Server Action or Route Handler.');
      change();
    };
    return {
      getAll: () => [...world.jar].map(([name, value]) => ({ name, value })),
      delete: (name: string) => changing(() => world.jar.delete(name)),
      set: ({ name, value, maxAge }: { name: string; value: string; maxAge: number }) =>
        changing(() => (maxAge === 0 ? world.jar.delete(name) : world.jar.set(name, value))),
    };
  },
}));
vi.mock('next/navigation.js', () => ({
  redirect: (to: string) => {
    throw new Error(`redirect ${to}`);
  },
}));

let issuer: Issuer;
let browser: Browser;
let auth: AuthHandlers;
const ask = (request: Request) => (request.method === 'GET' ? auth.GET(request) : auth.POST(request));
const proxied = (request: Request) => auth.createProxy({ protect: ['/account'] })(new NextRequest(request));
beforeEach(async () => {
  issuer = await Issuer.make();
  browser = new Browser();
  auth = createAuthHandlers(() => optionsOf(issuer));
  world.jar = browser.jar;
  world.isAction = false;
});

test('the proxy leads a stranger from a protected page to the sign-in, and lets everything else pass', async () => {
  const away = await proxied(browser.request('/account/bills?year=7'));
  expect(away.status).toBe(302);
  expect(away.headers.get('location')).toContain(`/auth/login?returnTo=${encodeURIComponent('/account/bills?year=7')}`);
  expect((await proxied(browser.request('/account', { headers: { accept: 'application/json' } }))).status).toBe(401);
  for (const path of ['/accounting', '/auth/login']) expect((await proxied(browser.request(path))).headers.get('x-middleware-next')).toBe('1');
  const back = await browser.signIn(issuer, ask);
  expect(back.headers.get('location')).toBe(`${HOME}/orders`);
  expect((await proxied(browser.request('/account'))).headers.get('x-middleware-next')).toBe('1');
  expect(await auth.auth()).toMatchObject({ sub: 'ada' });
});

test('a form whose session has ended leads to the sign-in and back to its page', async () => {
  const away = await proxied(browser.request('/account/bills?/pay', { method: 'POST' }));
  expect(away.status).toBe(303);
  expect(away.headers.get('location')).toMatch(/\/auth\/login\?returnTo=%2Faccount%2Fbills$/);
  const script = await proxied(browser.request('/account/bills', { method: 'POST', headers: { accept: 'text/x-component' } }));
  expect(script.status).toBe(401);
});

test.each(['/%61ccount', '/account%2Fbills', '//account', '/ACCOUNT/bills', '/account/', '/%ff'])('a stranger who spells a protected page as %s gets no further', async (path) => {
  expect((await proxied(browser.request(path))).status).toBe(302);
});

test('the base path and the locale of an application are no way around the proxy', async () => {
  const proxy = auth.createProxy({ protect: ['/account'] });
  const nextConfig = { basePath: '/shop', i18n: { locales: ['en', 'de'], defaultLocale: 'en' } };
  for (const path of ['/shop/account', '/shop/de/account/bills']) {
    expect((await proxy(new NextRequest(browser.request(path), { nextConfig }))).status).toBe(302);
  }
});

test('the proxy renews a session whose token ends, for the browser and for what runs after it', async () => {
  await browser.signIn(issuer, ask, { expires_in: 1 });
  const before = browser.cookie;
  await expect(auth.getAccessToken()).rejects.toMatchObject({ code: 'renewal_impossible' });
  tell(issuer);
  const reply = await proxied(browser.request('/account'));
  browser.keep(reply.headers);
  expect(browser.cookie).not.toBe(before);
  expect(reply.headers.get('x-middleware-request-cookie')).toBe(browser.cookie);
  expect(await auth.getAccessToken()).toMatch(/^ey/);
  expect(issuer.asks('/oauth/token')).toBe(2);
});

test('a form of another site signs no one out; notices of the service, which have no origin, are taken', async () => {
  await browser.signIn(issuer, ask);
  expect((await ask(browser.form('/auth/logout', {}, 'https://evil.example'))).status).toBe(403);
  expect(await auth.auth()).toMatchObject({ sub: 'ada' });
  expect((await ask(await notice(issuer))).status).toBe(200);
  expect(await auth.auth()).toBe(null);
});

test('a token that an API refused is renewed at once where a new one can be kept, and nowhere else', async () => {
  await browser.signIn(issuer, ask);
  tell(issuer);
  const before = browser.cookie;
  await expect(auth.getAccessToken({ force: true })).rejects.toMatchObject({ code: 'renewal_impossible' });
  expect(issuer.asks('/oauth/token')).toBe(1);
  world.isAction = true;
  expect(await auth.getAccessToken({ force: true })).toMatch(/^ey/);
  expect(issuer.asks('/oauth/token')).toBe(2);
  expect(browser.cookie).not.toBe(before);
});

test('actions sign in and out, and renew', async () => {
  world.isAction = true;
  await browser.signIn(issuer, ask, { expires_in: 1 });
  tell(issuer);
  expect(await auth.getAccessToken()).toMatch(/^ey/);
  await expect(auth.signIn('/orders', { prompt: 'login' })).rejects.toThrow(/^redirect .*\/auth\/login\?.*returnTo=%2Forders/);
  await expect(auth.signOut()).rejects.toThrow(`redirect ${ISSUER}/oauth/end-session`);
  expect(browser.jar.size).toBe(0);
  expect(await auth.auth()).toBe(null);
});
