// Frameworks of Node with their guides of docs/frameworks: the programs of the pages run as they stand.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Auth } from '@auth/core';
import { blocks } from '../../guides.mjs';
import { dev } from './demo.js';
import { environment, start } from './guide.js';
import { Person } from './person.js';

const HOME = 'http://localhost:3000';

/** Runs the program of a page around the tests of a group. */
function withProgram(page, handle) {
  let stop;
  before(async () => {
    stop = await start(page, handle);
  });
  after(() => stop?.());
}

describe('passport-openidconnect', () => {
  withProgram('frameworks/passport.md', 'passport');

  test('signs a person in, with a nonce instead of PKCE and the secret in the form', async () => {
    const ada = JSON.parse((await new Person(dev.user).arrive(`${HOME}/login`)).html);
    assert.match(ada.id, /^\S+$/);
    assert.deepEqual(ada, { issuer: dev.issuer, id: ada.id, name: 'Ada Lovelace' });
  });
});

describe('express-openid-connect', () => {
  withProgram('frameworks/express.md', 'express');

  test('signs a person in, and out at the service too', async () => {
    const person = new Person(dev.user);
    const profile = JSON.parse((await person.arrive(`${HOME}/profile`)).html);
    assert.equal(profile.name, 'Ada Lovelace');
    assert.equal(profile.email, 'ada@demo.example');
    const left = await person.visit(`${HOME}/logout`, `${HOME}/`);
    assert.equal(left.href, `${HOME}/`);
    const page = await person.look(`${HOME}/profile`);
    assert.match(page.html, /id="login-submit"/, 'neither the application nor the service knows the person any more');
  });
});

describe('openid-client', () => {
  withProgram('tutorials/first-sign-in.md', 'shop');

  test('signs a person in, refreshes, asks UserInfo and signs out, as in the tutorial', async () => {
    const person = new Person(dev.user);
    const home = await person.arrive(`${HOME}/login`);
    assert.equal(home.html, 'Signed in. Try /me, /refresh, /logout');
    const refreshed = await person.look(`${HOME}/refresh`);
    assert.match(refreshed.html, /^A new access token for \d+ seconds/);
    const { email } = JSON.parse((await person.look(`${HOME}/me`)).html);
    assert.equal(email, 'ada@demo.example');
    const left = await person.visit(`${HOME}/logout`, `${HOME}/`);
    assert.equal(left.href, `${HOME}/`);
    assert.equal((await person.look(HOME)).html, 'Try /login');
    assert.match((await person.look(`${HOME}/login`)).html, /id="login-submit"/);
  });
});

describe('Auth.js', () => {
  const cookies = new Map();
  let config;

  before(() => {
    Object.assign(process.env, environment('nextjs'));
    const [code] = blocks('frameworks/nextjs.md', 'ts');
    // `NextAuth` passes its settings on to `Auth`.
    const program = code.replace(/^import .*$/m, '').replace('export const', 'const');
    new Function('NextAuth', program)((settings) => {
      config = { ...settings, basePath: '/api/auth', trustHost: true, secret: process.env.SESSION_SECRET };
      return {};
    });
  });

  async function call(path, form) {
    const headers = { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') };
    if (form) headers['content-type'] = 'application/x-www-form-urlencoded';
    const body = form && new URLSearchParams(form).toString();
    const reply = await Auth(new Request(new URL(path, HOME), { method: form ? 'POST' : 'GET', headers, body }), config);
    for (const line of reply.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line);
      cookies.set(name, value);
    }
    return reply;
  }

  test('signs a person in, and its session has the claims of the ID token', async () => {
    const { csrfToken } = await (await call('/api/auth/csrf')).json();
    const started = await call('/api/auth/signin/svc', { csrfToken, callbackUrl: HOME });
    const back = await new Person(dev.user).visit(started.headers.get('location'), `${HOME}/api/auth/callback/svc`);
    const finished = await call(`${back.pathname}${back.search}`);
    assert.equal(finished.headers.get('location'), HOME);
    const session = await (await call('/api/auth/session')).json();
    assert.equal(session.user.name, 'Ada Lovelace');
    assert.equal(session.user.email, 'ada@demo.example');
  });
});
