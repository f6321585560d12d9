// Backchannel authentication (OpenID CIBA) as openid-client does it, while the person decides on the page or by the API.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import * as oauth from 'oauth4webapi';
import * as oidc from 'openid-client';
import { application, configured, dev, MANAGEMENT, signedIn, signingKey } from './demo.js';
import { Person } from './person.js';

const CIBA = 'urn:openid:params:grant-type:ciba';
const REQUESTS = new URL(`${MANAGEMENT}/v1/identity/ciba/requests`);

describe('openid-client asks a person elsewhere', { concurrency: 1 }, () => {
  const person = new Person(dev.user);
  const service = application('service');
  let config;
  let own;
  let unknown;

  before(async () => {
    config = await configured('service');
    // Tokens of the person's own, with which an application decides for them.
    const wish = { scope: 'openid identity:approve', resource: MANAGEMENT };
    own = await signedIn(config, person, service.redirect_uris[0], wish);
    const started = await ask({ login_hint: 'nobody@demo.example', binding_message: 'UNKNOWN', requested_expiry: '10' });
    // The library itself would stop at the end, without a last question.
    const polling = oidc.pollBackchannelAuthenticationGrant(config, { ...started, expires_in: 60 });
    // It expires while the other tests run, and is looked at after them.
    polling.catch(() => {});
    unknown = { started, polling };
  });

  function ask(extra = {}, from = config) {
    return oidc.initiateBackchannelAuthentication(from, {
      scope: 'openid profile offline_access',
      login_hint: dev.user.username,
      ...extra,
    });
  }

  /** Presses a button of the request with this message, on the page where everything waits for the person. */
  async function decide(message, decision) {
    const inbox = await person.open(`${dev.issuer}/auth/approvals`);
    const section = inbox.html.split('<section').find((text) => text.includes(message));
    assert.ok(section, inbox.html);
    const [, button] = new RegExp(`id="(approval-${decision}-\\d+)"`).exec(section);
    await person.press(inbox, button);
  }

  /** What waits for the person, as an application of theirs reads it. */
  async function waiting() {
    const reply = await oidc.fetchProtectedResource(config, own.access_token, REQUESTS, 'GET');
    assert.equal(reply.status, 200);
    return (await reply.json()).data;
  }

  async function act(id, verb) {
    const url = new URL(`${REQUESTS}/${id}/${verb}`);
    return (await oidc.fetchProtectedResource(config, own.access_token, url, 'POST')).status;
  }

  test('the person allows it on the page, and the application gets tokens', async () => {
    const started = await ask({ binding_message: 'PAGE-1' });
    assert.equal(started.auth_req_id.length, 43);
    await decide('PAGE-1', 'allow');
    const tokens = await oidc.pollBackchannelAuthenticationGrant(config, started);
    assert.equal(tokens.claims().sub, own.claims().sub);
    assert.equal(tokens.claims().aud, service.client_id);
    const refreshed = await oidc.refreshTokenGrant(config, tokens.refresh_token);
    assert.equal(refreshed.claims().sub, own.claims().sub);
    await assert.rejects(oidc.pollBackchannelAuthenticationGrant(config, started), { error: 'invalid_grant' });
  });

  test('the person refuses on the page', async () => {
    const started = await ask({ binding_message: 'PAGE-2' });
    await decide('PAGE-2', 'deny');
    await assert.rejects(oidc.pollBackchannelAuthenticationGrant(config, started), { error: 'access_denied' });
  });

  test('an application of the person lists the request and approves it, while the other one polls', async () => {
    const started = await ask({ binding_message: 'API-1', login_hint: 'ADA@demo.example' });
    const polling = oidc.pollBackchannelAuthenticationGrant(config, started);
    const request = (await waiting()).find(({ binding_message }) => binding_message === 'API-1');
    assert.equal(request.client_id, service.client_id);
    assert.equal(await act(request.id, 'approve'), 204);
    assert.equal(await act(request.id, 'deny'), 409);
    assert.equal((await polling).claims().sub, own.claims().sub);
    assert.equal((await waiting()).some(({ id }) => id === request.id), false);
  });

  test('and denies one', async () => {
    const started = await ask({ binding_message: 'API-2' });
    const request = (await waiting()).find(({ binding_message }) => binding_message === 'API-2');
    assert.equal(await act(request.id, 'deny'), 204);
    await assert.rejects(oidc.pollBackchannelAuthenticationGrant(config, started), { error: 'access_denied' });
  });

  describe('with signed requests', { concurrency: 1 }, () => {
    let signing;
    let key;

    before(async () => {
      const pair = await signingKey();
      key = pair.key;
      const metadata = {
        client_name: 'Signs what it asks',
        grant_types: [CIBA, 'refresh_token'],
        token_endpoint_auth_method: 'private_key_jwt',
        jwks: { keys: [pair.jwk] },
        require_signed_request_object: true,
        scope: 'openid profile offline_access',
      };
      signing = await oidc.dynamicClientRegistration(new URL(dev.issuer), metadata, oidc.PrivateKeyJwt(key), {
        execute: [oidc.allowInsecureRequests],
      });
    });

    function signed(extra) {
      const parameters = { scope: 'openid profile', login_hint: dev.user.username, ...extra };
      return oauth.issueRequestObject(signing.serverMetadata(), signing.clientMetadata(), parameters, key);
    }

    test('what is signed is asked, once', async () => {
      const request = await signed({ binding_message: 'SIGNED' });
      const started = await oidc.initiateBackchannelAuthentication(signing, { request });
      await decide('SIGNED', 'allow');
      const tokens = await oidc.pollBackchannelAuthenticationGrant(signing, started);
      assert.equal(tokens.claims().aud, signing.clientMetadata().client_id);
      assert.notEqual(tokens.claims().sub, own.claims().sub, 'it knows the person by a subject of its own');
      await assert.rejects(oidc.initiateBackchannelAuthentication(signing, { request }), { error: 'invalid_request' });
    });

    test('what is not signed, or signed by another client, is not', async () => {
      await assert.rejects(ask({}, signing), { error: 'invalid_request' });
      const stranger = (await signingKey()).key;
      const parameters = { scope: 'openid', login_hint: dev.user.username };
      const request = await oauth.issueRequestObject(signing.serverMetadata(), signing.clientMetadata(), parameters, stranger);
      await assert.rejects(oidc.initiateBackchannelAuthentication(signing, { request }), { error: 'invalid_request' });
      const beside = { request: await signed({}), login_hint: dev.admin.username };
      await assert.rejects(oidc.initiateBackchannelAuthentication(signing, beside), { error: 'invalid_request' });
    });
  });

  test('a request for an unknown person begins like any other, waits, is in no list, and expires', async () => {
    assert.deepEqual(Object.keys(unknown.started).sort(), ['auth_req_id', 'expires_in', 'interval']);
    assert.equal((await waiting()).some(({ binding_message }) => binding_message === 'UNKNOWN'), false);
    const inbox = await person.open(`${dev.issuer}/auth/approvals`);
    assert.equal(inbox.html.includes('UNKNOWN'), false);
    await assert.rejects(unknown.polling, { error: 'expired_token' });
  });
});
