// Applications are told that a session has ended: by a logout token, and as a shared signal; jose verifies both.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import * as oidc from 'openid-client';
import { MANAGEMENT, application, configured, dev, signedIn } from './demo.js';
import { Person } from './person.js';
import { Receiver } from './receiver.js';

const CALLBACK = 'http://localhost:8771/callback';
const REVOKED = 'https://schemas.openid.net/secevent/caep/event-type/session-revoked';
const VERIFICATION = 'https://schemas.openid.net/secevent/ssf/event-type/verification';
const STREAMS = `${MANAGEMENT}/v1/ssf/streams`;

const wish = () => ({ scope: 'openid', state: oidc.randomState() });

describe('the end of a session is told', { concurrency: 1, timeout: 60_000 }, () => {
  const person = new Person(dev.user);
  let keys;
  let logouts;
  let signals;
  let config;
  let tokens;
  let service;
  let stream;

  before(async () => {
    logouts = await Receiver.start(200);
    signals = await Receiver.start(202);
    const metadata = {
      client_name: 'Told of sign-outs',
      redirect_uris: [CALLBACK],
      post_logout_redirect_uris: [CALLBACK],
      token_endpoint_auth_method: 'client_secret_basic',
      backchannel_logout_uri: logouts.url,
      backchannel_logout_session_required: true,
      scope: 'openid',
    };
    config = await oidc.dynamicClientRegistration(new URL(dev.issuer), metadata, oidc.ClientSecretBasic(), {
      execute: [oidc.allowInsecureRequests],
    });
    keys = createRemoteJWKSet(new URL(config.serverMetadata().jwks_uri));
    service = await configured('service');
  });

  after(() => {
    logouts.stop();
    signals.stop();
  });

  /** A call of the stream's owner. */
  async function managed(method, address, body) {
    const scope = 'ssf.manage ssf.read';
    const { access_token } = await oidc.clientCredentialsGrant(service, { scope, resource: MANAGEMENT });
    const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' };
    return fetch(address, { method, headers, body: body && JSON.stringify(body) });
  }

  async function verified({ body }) {
    const options = { issuer: dev.issuer, audience: application('service').client_id, typ: 'secevent+jwt' };
    const { payload } = await jwtVerify(body, keys, options);
    return payload;
  }

  test('a stream is described, made and verified', async () => {
    const described = await (await fetch(`${dev.issuer}/.well-known/ssf-configuration`)).json();
    assert.equal(described.issuer, dev.issuer);
    const delivery = { method: 'urn:ietf:rfc:8935', endpoint_url: signals.url, authorization_header: 'Bearer of-the-receiver' };
    const made = await managed('POST', described.configuration_endpoint, { delivery, events_requested: [REVOKED] });
    assert.equal(made.status, 201);
    stream = await made.json();
    assert.deepEqual(stream.events_delivered, [REVOKED]);
    const asked = await managed('POST', described.verification_endpoint, { stream_id: stream.stream_id, state: 'are you there?' });
    assert.equal(asked.status, 204);
    const sent = await signals.next();
    assert.equal(sent.headers['content-type'], 'application/secevent+jwt');
    assert.equal(sent.headers.authorization, 'Bearer of-the-receiver');
    assert.deepEqual((await verified(sent)).events, { [VERIFICATION]: { state: 'are you there?' } });
  });

  test('a sign-out reaches the application that the person signed in to, and the stream', async () => {
    await signedIn(service, person, application('service').redirect_uris[0], wish());
    tokens = await signedIn(config, person, CALLBACK, wish());
    const address = oidc.buildEndSessionUrl(config, { id_token_hint: tokens.id_token, post_logout_redirect_uri: CALLBACK });
    await person.visit(address, CALLBACK);

    const sent = await logouts.next();
    const form = new URLSearchParams(sent.body);
    assert.deepEqual([...form.keys()], ['logout_token']);
    const options = { issuer: dev.issuer, audience: config.clientMetadata().client_id, typ: 'logout+jwt' };
    const { payload } = await jwtVerify(form.get('logout_token'), keys, options);
    const { sid, sub } = tokens.claims();
    assert.deepEqual([payload.sid, payload.sub, payload.nonce], [sid, sub, undefined]);
    assert.deepEqual(payload.events, { 'http://schemas.openid.net/event/backchannel-logout': {} });

    const signal = await verified(await signals.next());
    assert.deepEqual(Object.keys(signal.events), [REVOKED]);
    assert.equal(signal.sub_id.session.id, sid);
  });

  test('a stream that is deleted is gone', async () => {
    const one = `${STREAMS}?stream_id=${stream.stream_id}`;
    assert.equal((await managed('DELETE', one)).status, 204);
    assert.equal((await managed('GET', one)).status, 404);
  });
});
