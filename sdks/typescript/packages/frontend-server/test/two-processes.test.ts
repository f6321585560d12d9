// Two processes of one application, which have a store and nothing else in common.
import { expect, test } from 'vitest';
import { Auth, type AuthOptions } from '../src/index.js';
import { Browser, HOME, optionsOf, tell } from './browser.js';
import { CANARIES, ISSUER, Issuer } from './issuer.js';

/** The routes in a process of their own: what another one remembers is not here. */
function processOf(options: AuthOptions): Auth {
  Reflect.deleteProperty(globalThis, Symbol.for('svc.frontend-server'));
  return new Auth(options);
}

/** A browser with a sign-in that one process has begun, and the request with which it comes back. */
async function begun(issuer: Issuer, auth: Auth): Promise<() => Request> {
  const browser = new Browser();
  const reply = await auth.login(browser.request('/auth/login?returnTo=/orders'));
  browser.keep(reply.headers);
  const { searchParams } = new URL(reply.headers.get('location')!);
  tell(issuer, { nonce: searchParams.get('nonce')! });
  const answer = new URLSearchParams({ code: CANARIES.code, state: searchParams.get('state')!, iss: ISSUER });
  return () => browser.request(`/auth/callback?${answer}`);
}

const isSignedIn = ({ headers }: Response) => headers.getSetCookie().some((line) => line.includes('svc-session'));

test('of a callback that two get at once, one sends the code, and both lead on', async () => {
  const issuer = await Issuer.make();
  const options = optionsOf(issuer);
  const [one, other] = [processOf(options), processOf(options)];
  const request = await begun(issuer, one);
  const replies = await Promise.all([one.callback(request()), other.callback(request())]);
  expect(replies.map(({ status }) => status)).toEqual([302, 302]);
  expect(replies.map(({ headers }) => headers.get('location'))).toEqual([`${HOME}/orders`, `${HOME}/orders`]);
  expect(issuer.asks('/oauth/token')).toBe(1);
  expect(replies.filter(isSignedIn)).toHaveLength(1);
});

test('a store that is away stops no sign-in', async () => {
  const issuer = await Issuer.make();
  const away = { add: () => Promise.reject(new Error('no connection')) };
  const auth = processOf({ ...optionsOf(issuer), replays: away });
  const request = await begun(issuer, auth);
  expect(isSignedIn(await auth.callback(request()))).toBe(true);
});
