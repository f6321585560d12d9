// Applications below different paths of one host: each has cookies of its own.
import { beforeEach, expect, test } from 'vitest';
import { Auth, type AuthOptions } from '../src/index.js';
import { Browser, HOME, optionsOf, tell } from './browser.js';
import { CANARIES, ISSUER, Issuer } from './issuer.js';

let issuer: Issuer;
beforeEach(async () => {
  issuer = await Issuer.make();
});

const made = (more: Partial<AuthOptions>) => new Auth({ ...optionsOf(issuer), ...more });
const below = (mount: string) => made({ redirectUri: `${HOME}${mount}/auth/callback`, basePath: mount });

/** Signs a person of this application in; the answer sets its cookies. */
async function signIn(browser: Browser, mount: string): Promise<Response> {
  const begun = await below(mount).login(browser.request(`${mount}/auth/login`));
  browser.keep(begun.headers);
  const { searchParams } = new URL(begun.headers.get('location')!);
  tell(issuer, { sub: `ada of ${mount}`, sid: `s-1${mount}`, nonce: searchParams.get('nonce') });
  const query = new URLSearchParams({ code: CANARIES.code, state: searchParams.get('state')!, iss: ISSUER });
  const reply = await below(mount).callback(browser.request(`${mount}/auth/callback?${query}`));
  browser.keep(reply.headers);
  return reply;
}

test('applications below paths of one host keep their cookies apart, and one at the root keeps its names', async () => {
  const mounts = ['', '/shop', '/shop/eu', '/shop~eu', '/svc-session.0'];
  const browser = new Browser();
  for (const mount of mounts) {
    for (const line of (await signIn(browser, mount)).headers.getSetCookie()) {
      expect(line).toMatch(/^__Host-[\w.~-]+=[^;]*; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure$/);
    }
  }
  for (const mount of mounts) expect(await below(mount).read(browser.cookie), mount).toMatchObject({ sub: `ada of ${mount}` });
  expect([...browser.jar.keys()]).toEqual(expect.arrayContaining(['__Host-svc-session.0', '__Host-shop-svc-session.0']));
  const { changes } = await below('').signOut(browser.cookie);
  const rest = below('').cookiesAfter(browser.cookie, changes);
  for (const mount of mounts) expect(await below(mount).read(rest), mount).toEqual(mount ? expect.anything() : null);
});

test('a base path is written in any way, and the redirect URI is below it', () => {
  const named = (basePath: string | undefined, path = '/shop/auth/callback') => made({ redirectUri: `${HOME}${path}`, basePath }).cookies.named('x');
  for (const basePath of ['/shop', '/shop/', 'shop']) expect(named(basePath), basePath).toBe('__Host-shop-x');
  for (const basePath of [undefined, '', '/']) expect(named(basePath), String(basePath)).toBe('__Host-x');
  expect(named('/caf\u00e9', '/caf%C3%A9/auth/callback')).toBe('__Host-caf_25C3_25A9-x');
  for (const basePath of ['/blog', '/sho', '/shop/auth/callback']) expect(() => named(basePath), basePath).toThrow(/below basePath/);
});
