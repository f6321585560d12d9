// Frameworks of Node with the settings of their guides in docs/frameworks: Passport (passport-openidconnect), Auth.js (@auth/core).
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Auth } from '@auth/core';
import OpenIDConnectStrategy from 'passport-openidconnect';
import { application, dev } from './demo.js';
import { Person } from './person.js';

describe('passport-openidconnect', () => {
  const { client_id, client_secret } = application('passport');
  const callbackURL = 'http://localhost:3000/oauth2/redirect';

  function strategy() {
    const settings = {
      issuer: dev.issuer,
      authorizationURL: `${dev.issuer}/oauth/authorize`,
      tokenURL: `${dev.issuer}/oauth/token`,
      userInfoURL: `${dev.issuer}/userinfo`,
      clientID: client_id,
      clientSecret: client_secret,
      callbackURL,
      scope: ['profile', 'email'],
      nonce: true,
    };
    return new OpenIDConnectStrategy(settings, (issuer, profile, done) => done(null, { issuer, ...profile }));
  }

  /** Runs the strategy as Passport does; returns what it decided. */
  function run(request) {
    return new Promise((resolve, reject) => {
      const decisions = {
        redirect: (location) => resolve({ location }),
        success: (user) => resolve({ user }),
        fail: (challenge) => reject(new Error(JSON.stringify(challenge))),
        error: reject,
      };
      Object.assign(Object.create(strategy()), decisions).authenticate(request, {});
    });
  }

  test('signs a person in, with a nonce instead of PKCE and the secret in the form', async () => {
    const session = {};
    const { location } = await run({ session, query: {}, headers: {} });
    const back = await new Person(dev.user).visit(location, callbackURL);
    const query = Object.fromEntries(back.searchParams);
    const { user } = await run({ session, query, headers: {}, url: back.href });
    assert.equal(user.issuer, dev.issuer);
    assert.equal(user.displayName, 'Ada Lovelace');
    assert.equal(user.emails[0].value, 'ada@demo.example');
  });
});

describe('Auth.js', () => {
  const { client_id, client_secret } = application('nextjs');
  const origin = 'http://localhost:3000';
  const config = {
    basePath: '/api/auth',
    trustHost: true,
    secret: 'a secret of the application, 32 or more bytes',
    providers: [
      {
        id: 'svc',
        name: 'svc',
        type: 'oidc',
        issuer: dev.issuer,
        clientId: client_id,
        clientSecret: client_secret,
      },
    ],
  };
  const cookies = new Map();

  async function call(path, form) {
    const headers = { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') };
    if (form) headers['content-type'] = 'application/x-www-form-urlencoded';
    const body = form && new URLSearchParams(form).toString();
    const reply = await Auth(new Request(new URL(path, origin), { method: form ? 'POST' : 'GET', headers, body }), config);
    for (const line of reply.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line);
      cookies.set(name, value);
    }
    return reply;
  }

  test('signs a person in, and its session has the claims of the ID token', async () => {
    const { csrfToken } = await (await call('/api/auth/csrf')).json();
    const started = await call('/api/auth/signin/svc', { csrfToken, callbackUrl: origin });
    const back = await new Person(dev.user).visit(started.headers.get('location'), `${origin}/api/auth/callback/svc`);
    const finished = await call(`${back.pathname}${back.search}`);
    assert.equal(finished.headers.get('location'), origin);
    const session = await (await call('/api/auth/session')).json();
    assert.equal(session.user.name, 'Ada Lovelace');
    assert.equal(session.user.email, 'ada@demo.example');
  });
});
