// Device authorization (RFC 8628) as openid-client does it, while a person enters the code on the real pages.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import * as oidc from 'openid-client';
import { application, configured, dev } from './demo.js';
import { Person } from './person.js';

const SCOPE = 'openid profile offline_access notes:read';

describe('openid-client on a device', { concurrency: true }, () => {
  for (const handle of ['device', 'service']) describe(handle, { concurrency: 1 }, () => tests(handle));
});

function tests(handle) {
  const person = new Person(dev.user);
  const { client_id } = application(handle);
  let config;

  before(async () => {
    config = await configured(handle);
  });

  /** Asks for a code, and lets the person decide while the device polls. */
  async function tokensAfter(decision, scope = SCOPE) {
    const started = await oidc.initiateDeviceAuthorization(config, { scope, resource: 'https://api.demo.example' });
    const polling = oidc.pollDeviceAuthorizationGrant(config, started);
    // A refusal is looked at by the caller, after the person has done their part.
    polling.catch(() => {});
    await decide(person, started, decision);
    return polling;
  }

  test('the person enters the code by hand, and the device gets their tokens', async () => {
    const started = await oidc.initiateDeviceAuthorization(config, { scope: SCOPE, resource: 'https://api.demo.example' });
    assert.equal(started.verification_uri, `${dev.issuer}/oauth/device/verify`);
    assert.match(started.user_code, /^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$/);
    const page = await person.open(started.verification_uri);
    const asked = await person.press(page, 'device-submit', { user_code: started.user_code.toLowerCase().replace('-', '') });
    assert.ok(asked.html.includes(started.user_code), asked.html);
    assert.ok(asked.html.includes(application(handle).name), asked.html);
    assert.ok(asked.html.includes('Read your notes'), asked.html);
    await person.press(asked, 'approval-allow-0');

    const tokens = await oidc.pollDeviceAuthorizationGrant(config, started);
    assert.equal(tokens.token_type, 'bearer');
    assert.deepEqual(tokens.scope.split(' ').sort(), SCOPE.split(' ').sort());
    assert.equal(tokens.claims().aud, client_id);
    assert.equal(tokens.claims().iss, dev.issuer);
    const refreshed = await oidc.refreshTokenGrant(config, tokens.refresh_token);
    assert.equal(refreshed.claims().sub, tokens.claims().sub);
  });

  test('the code in the address is filled in, and the tokens come while the device polls', async () => {
    const tokens = await tokensAfter('allow', 'openid profile');
    assert.equal(tokens.refresh_token, undefined);
    assert.equal(tokens.claims().aud, client_id);
  });

  test('a person who refuses is told of as access_denied', async () => {
    await assert.rejects(tokensAfter('deny'), { error: 'access_denied' });
  });

  test('a device that is told to slow down does, and gets its tokens', async () => {
    const polls = [];
    const impatient = await configured(handle);
    impatient[oidc.customFetch] = async (url, options) => {
      const isFirstPoll = String(options.body).includes('device_code=') && polls.length === 0;
      // Another part of the device asked a moment ago.
      if (isFirstPoll) await (await fetch(url, options)).arrayBuffer();
      const reply = await fetch(url, options);
      const { error } = await reply.clone().json();
      polls.push({ error, at: performance.now(), after: reply.headers.get('retry-after') });
      if (polls.length === 1) await decide(person, started, 'allow');
      return reply;
    };
    const started = await oidc.initiateDeviceAuthorization(config, { scope: 'openid' });
    const tokens = await oidc.pollDeviceAuthorizationGrant(impatient, started);
    assert.deepEqual(polls.map(({ error }) => error), ['slow_down', undefined]);
    assert.equal(Number(polls[0].after), started.interval + 5);
    assert.ok(polls[1].at - polls[0].at > started.interval * 1000 + 4_000, JSON.stringify(polls));
    assert.equal(tokens.claims().aud, client_id);
  });

  test('a code is fetched once, by whom it was given to', async () => {
    const started = await oidc.initiateDeviceAuthorization(config, { scope: 'openid' });
    await decide(person, started, 'allow');
    const stranger = await configured(handle === 'device' ? 'service' : 'device');
    await assert.rejects(oidc.pollDeviceAuthorizationGrant(stranger, started), { error: 'invalid_grant' });
    await oidc.pollDeviceAuthorizationGrant(config, started);
    await assert.rejects(oidc.pollDeviceAuthorizationGrant(config, started), { error: 'invalid_grant' });
  });
}

async function decide(person, { verification_uri_complete }, decision) {
  const page = await person.open(verification_uri_complete);
  const asked = await person.press(page, 'device-submit');
  const done = await person.press(asked, `approval-${decision}-0`);
  assert.match(done.html, decision === 'allow' ? /go back to your device/ : /<h1>/);
}
