// Webhooks verified with the code of their guide alone: real deliveries, and its test vectors.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import * as oidc from 'openid-client';
import { blocks } from '../../guides.mjs';
import { MANAGEMENT, configured } from './demo.js';
import { Receiver } from './receiver.js';

const PROGRAMS = new URL('./node_modules/.guides/', import.meta.url);
const WEBHOOKS = `${MANAGEMENT}/v1/webhooks`;
const VECTOR = {
  headers: {
    'x-svc-signature-suite': 'svc-webhook-v1',
    'x-svc-signature-max-age': '300',
    'x-svc-timestamp': '1800000000',
    'x-svc-event': 'webhook.test',
    'x-svc-delivery': 'dlv_01jcqzv7y0e8kstk6yq6k3a4mf',
    'x-svc-signature-256': 'sha256=631d5da8ee91e6d97863c23e138738f4600b158f2d303bf7791f18401ad21d06',
  },
  body: Buffer.from('{"name":"Zoë"}'),
  secret: 'svc_whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY',
};

describe('webhooks', { concurrency: 1, timeout: 60_000 }, () => {
  let receiver;
  let verifiedEvent;
  let webhook;

  before(async () => {
    receiver = await Receiver.start(204);
    const file = new URL('webhooks.mjs', PROGRAMS);
    mkdirSync(PROGRAMS, { recursive: true });
    writeFileSync(file, blocks('how-to/webhooks.md', 'js')[0]);
    ({ verifiedEvent } = await import(file));
  });

  after(async () => {
    receiver.stop();
    await managed('DELETE', `${WEBHOOKS}/${webhook.id}`);
  });

  async function managed(method, address, body) {
    const admin = await configured('admin-cli');
    const scope = 'webhooks:read webhooks:write';
    const { access_token } = await oidc.clientCredentialsGrant(admin, { scope, resource: MANAGEMENT });
    const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' };
    return fetch(address, { method, headers, body: body && JSON.stringify(body) });
  }

  const verified = ({ headers, body }, secret) => verifiedEvent(headers, Buffer.from(body), secret);

  test('the vector of the guide is verified, and nothing that differs from it', () => {
    const { headers, body, secret } = VECTOR;
    const now = 1_800_000_300;
    assert.deepEqual(verifiedEvent(headers, body, secret, now), { name: 'Zoë' });
    const two = { ...headers, 'x-svc-signature-256': `sha256=00,${headers['x-svc-signature-256']}` };
    assert.deepEqual(verifiedEvent(two, body, secret, now), { name: 'Zoë' });
    for (const name of Object.keys(headers)) {
      assert.throws(() => verifiedEvent({ ...headers, [name]: 'x' }, body, secret, now), name);
      assert.throws(() => verifiedEvent({ ...headers, [name]: undefined }, body, secret, now), name);
    }
    assert.throws(() => verifiedEvent(headers, Buffer.from('{"name":"Zoe"}'), secret, now), /wrong signature/);
    assert.throws(() => verifiedEvent(headers, body, `${secret}x`, now), /wrong signature/);
    assert.throws(() => verifiedEvent(headers, body, secret, now + 1), /stale signature/);
  });

  test('a test delivery is verified with the secret that was shown once', async () => {
    const made = await managed('POST', WEBHOOKS, { url: receiver.url, event_types: ['org.created'] });
    assert.equal(made.status, 201);
    webhook = await made.json();
    assert.equal((await managed('POST', `${WEBHOOKS}/${webhook.id}/test`)).status, 200);
    const sent = await receiver.next();
    const event = verified(sent, webhook.secret);
    assert.deepEqual([event.type, event.data], ['webhook.test', { webhook_id: webhook.id }]);
  });

  test('while the secret is being replaced a delivery is verified with either', async () => {
    const rotated = await (await managed('POST', `${WEBHOOKS}/${webhook.id}/secret`)).json();
    const { data } = await (await managed('GET', `${WEBHOOKS}/${webhook.id}/deliveries`)).json();
    const address = `${WEBHOOKS}/${webhook.id}/deliveries/${data[0].id}/replay`;
    assert.equal((await managed('POST', address)).status, 200);
    const sent = await receiver.next();
    assert.deepEqual(verified(sent, webhook.secret), verified(sent, rotated.secret));
    assert.notEqual(sent.headers['x-svc-delivery'], data[0].id);
  });
});
