// What a session says of the person after a renewal, whose ID token may say something else than the first.
import { expect, test } from 'vitest';
import { Auth } from '../src/index.js';
import { Browser, optionsOf, tell } from './browser.js';
import { ISSUER, Issuer } from './issuer.js';

test('claims that a new ID token leaves out are gone; without an ID token they stay', async () => {
  const issuer = await Issuer.make();
  const auth = new Auth(optionsOf(issuer));
  const browser = new Browser();
  const begun = await auth.login(browser.request('/auth/login'));
  browser.keep(begun.headers);
  const { searchParams } = new URL(begun.headers.get('location')!);
  tell(issuer, { nonce: searchParams.get('nonce'), roles: ['admin'], name: 'Ada' });
  browser.keep((await auth.callback(browser.request(`/auth/callback?code=c&state=${searchParams.get('state')}&iss=${encodeURIComponent(ISSUER)}`))).headers);
  expect((await auth.read(browser.cookie))?.claims).toMatchObject({ roles: ['admin'], name: 'Ada' });

  tell(issuer, { name: 'Ada L.' });
  const renewed = await auth.accessToken(browser.cookie, { force: true });
  const cookie = auth.cookiesAfter(browser.cookie, renewed.changes);
  expect((await auth.read(cookie))?.claims).toEqual({ iss: ISSUER, sub: 'ada', sid: 's-1', name: 'Ada L.' });

  issuer.answers.set('/oauth/token', () => Response.json({ access_token: 'another', token_type: 'Bearer', expires_in: 900 }));
  const silent = await auth.accessToken(cookie, { force: true });
  expect(silent.accessToken).toBe('another');
  expect((await auth.read(auth.cookiesAfter(cookie, silent.changes)))?.claims).toMatchObject({ sub: 'ada', name: 'Ada L.' });
});
