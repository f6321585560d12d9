// The service as its administrators see it, for tests against the running server (SVC_DEV): applications and people of a test's own.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';

/** The line that `svc-runtime dev --json` printed. */
export const dev = process.env.SVC_DEV && JSON.parse(process.env.SVC_DEV);

const SCOPE = 'applications:read applications:write organizations:write privileges:grant registration-tokens:read registration-tokens:write sessions:write tenant-users:read tenant-users:write';
let token;

/** A call of the management API by the application of administrators. */
export async function manage(method, path, body) {
  token ??= await accessToken();
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const answer = await fetch(`${dev.issuer}/api/v1/${path}`, { method, headers, body: body && JSON.stringify(body) });
  assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${await answer.clone().text()}`);
  return answer.status === 204 ? undefined : answer.json();
}

async function accessToken() {
  const { client_id, client_secret } = dev.clients.find(({ handle }) => handle === 'admin-cli');
  const authorization = `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`;
  const body = new URLSearchParams({ grant_type: 'client_credentials', scope: SCOPE, resource: `${dev.issuer}/api` });
  const answer = await fetch(`${dev.issuer}/oauth/token`, { method: 'POST', headers: { authorization }, body });
  return (await answer.json()).access_token;
}

/** An application with the client id and, where it has one, the secret. */
export async function application(metadata) {
  const handle = `example-${randomBytes(5).toString('hex')}`;
  const made = await manage('POST', 'applications', { handle, grant_types: ['authorization_code', 'refresh_token'], ...metadata });
  return { ...made, client_id: made.client_id ?? made.id };
}

/** A person with a password, who owns the organizations of these names. */
export async function person(organizations = []) {
  const username = `person-${randomBytes(5).toString('hex')}`;
  const password = `moth ${randomBytes(12).toString('hex')}`;
  const { id } = await manage('POST', 'tenant-users', { username, name: 'Grace Hopper', email: `${username}@demo.example` });
  await manage('PUT', `tenant-users/${id}/password`, { password });
  const slugs = organizations.map((name) => `${name.toLowerCase()}-${username.slice(7)}`);
  for (const [n, slug] of slugs.entries()) await manage('POST', 'organizations', { slug, name: organizations[n], owner_id: id });
  return { id, username, password, organizations: slugs };
}

/** Ends every session of a person with every token. */
export const endSessions = ({ id }) => manage('DELETE', `tenant-users/${id}/sessions`);
