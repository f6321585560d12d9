// The management API, as the application of administrators calls it.
import assert from 'node:assert/strict';
import { dev } from './browser.js';

/** Calls with a token of these scopes; an instance is known by the line that it printed. */
export async function management(scope, { issuer, clients } = dev) {
  const { client_id, client_secret } = clients.find(({ handle }) => handle === 'admin-cli');
  const body = new URLSearchParams({ grant_type: 'client_credentials', scope, resource: `${issuer}/api` });
  const authorization = `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`;
  const answer = await (await fetch(`${issuer}/oauth/token`, { method: 'POST', headers: { authorization }, body })).json();
  assert.ok(answer.access_token, JSON.stringify(answer));
  return (method, path, body) => call(`${issuer}/api/v1/${path}`, method, body, answer.access_token);
}

async function call(url, method, body, token) {
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const headers = { authorization: `Bearer ${token}`, 'content-type': type };
  const answer = await fetch(url, { method, headers, body: body && JSON.stringify(body) });
  const text = await answer.text();
  assert.ok(answer.ok, `${method} ${url}: ${answer.status} ${text}`);
  return text ? JSON.parse(text) : {};
}

/** Makes a browser application of the tenant's own. */
export async function makeApplication(manage, { redirect_uris }, more) {
  const { id } = await manage('POST', 'applications', {
    handle: `test-${Date.now()}`, name: 'Test application', type: 'spa', redirect_uris, first_party: true,
    token_endpoint_auth_method: 'none', scope: 'openid profile email', ...more,
  });
  return { client_id: id, redirect_uris };
}
