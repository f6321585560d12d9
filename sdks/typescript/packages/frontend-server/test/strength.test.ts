// The strength that an application asks of every sign-in, and links that ask for another.
import { expect, test } from 'vitest';
import { createAuth } from '../src/index.js';
import { HOME, optionsOf } from './browser.js';
import { Issuer } from './issuer.js';

const every = { acr_values: 'urn:svc:aal2', max_age: '300', organization: 'acme' };

test.each([
  ['', 'urn:svc:aal2', '300', 'acme'],
  ['acr_values=urn:svc:aal1&max_age=86400', 'urn:svc:aal2', '300', 'acme'],
  ['acr_values=urn:svc:aal1+urn:svc:aal3&max_age=60&organization=other', 'urn:svc:aal3', '60', 'other'],
  ['acr_values=phr&max_age=-1', 'urn:svc:aal2', '300', 'acme'],
  ['acr_values=+&max_age=0', 'urn:svc:aal2', '0', 'acme'],
  ['max_age=1e9', 'urn:svc:aal2', '300', 'acme'],
])('the link ?%s asks for %s within %s s in %s', async (query, acr, age, organization) => {
  const auth = createAuth({ ...optionsOf(await Issuer.make()), authorizationParameters: every });
  const reply = await auth.login(new Request(`${HOME}/auth/login?${query}`));
  const { searchParams } = new URL(reply.headers.get('location')!);
  expect(['acr_values', 'max_age', 'organization'].map((name) => searchParams.get(name))).toEqual([acr, age, organization]);
});

test.each([
  ['login', '', 'login'],
  ['login', 'none', 'login'],
  ['login consent', 'select_account', 'login consent select_account'],
  ['login', 'login', 'login'],
  ['none', 'login', 'login'],
  ['none', '', 'none'],
  ['', 'none', 'none'],
])('where every sign-in asks for the prompt "%s", the link ?prompt=%s asks for "%s"', async (prompt, wanted, asked) => {
  const auth = createAuth({ ...optionsOf(await Issuer.make()), authorizationParameters: { prompt } });
  const reply = await auth.login(new Request(`${HOME}/auth/login?prompt=${wanted}`));
  expect(new URL(reply.headers.get('location')!).searchParams.get('prompt')).toBe(asked);
});

test('without a strength of every sign-in the link says it alone', async () => {
  const auth = createAuth(optionsOf(await Issuer.make()));
  const at = async (query: string) => new URL((await auth.login(new Request(`${HOME}/auth/login?${query}`))).headers.get('location')!).searchParams;
  expect((await at('acr_values=phr+urn:svc:aal1&max_age=9')).get('acr_values')).toBe('phr urn:svc:aal1');
  expect((await at('acr_values=phr&max_age=9')).get('max_age')).toBe('9');
  expect([...(await at('')).keys()]).not.toContain('acr_values');
});
