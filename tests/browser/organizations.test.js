// The choice of an organization, looked at and used: with a session, after another choice, and without scripts.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { authorizeUrl, client, dev, isFirstParty, lookAt, looks, returned, signIn, visit, withApplication, withBrowser } from './browser.js';

const application = client(isFirstParty);
let portal;
withBrowser();
withApplication(application);

/** A call of the management API by the application of administrators. */
async function manage(token, method, path, body) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const answer = await fetch(`${dev.issuer}/api/v1/${path}`, { method, headers, body: body && JSON.stringify(body) });
  return { status: answer.status, body: await answer.json() };
}

before(async () => {
  const { client_id, client_secret } = dev.clients.find(({ handle }) => handle === 'admin-cli');
  const scope = 'organizations:write applications:write tenant-users:read privileges:grant';
  const form = { grant_type: 'client_credentials', scope, resource: `${dev.issuer}/api` };
  const authorization = `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`;
  const answer = await fetch(`${dev.issuer}/oauth/token`, { method: 'POST', headers: { authorization }, body: new URLSearchParams(form) });
  const { access_token: token } = await answer.json();
  const people = await manage(token, 'GET', `tenant-users?username=${dev.user.username}`);
  for (const slug of ['initech', 'hooli']) {
    const made = await manage(token, 'POST', 'organizations', { slug, name: `${slug} Limited`, owner_id: people.body.data[0].id });
    assert.ok([201, 409].includes(made.status), JSON.stringify(made));
  }
  const { redirect_uris } = application;
  const made = await manage(token, 'POST', 'applications', {
    handle: `portal-${Date.now()}`, name: 'Portal', type: 'spa', redirect_uris, first_party: true,
    token_endpoint_auth_method: 'none', organization_usage: 'require', scope: 'openid profile email',
  });
  assert.equal(made.status, 201, JSON.stringify(made));
  portal = { ...made.body, client_id: made.body.client_id ?? made.body.id, redirect_uris };
});

for (const [look, options] of Object.entries(looks)) {
  test(`the pages of organizations, ${look}`, () =>
    visit(async (page) => {
      await page.goto(authorizeUrl(portal));
      await signIn(page);
      await page.waitForSelector('#organization-submit');
      await lookAt(page, 'organization', look);
      await page.goto(authorizeUrl(application, { organization: 'nowhere' }));
      await page.waitForSelector('#organization-none');
      await lookAt(page, 'organization-none', look);
    }, options));
}

for (const javaScriptEnabled of [true, false]) {
  test(`the last choice is offered first, ${javaScriptEnabled ? 'with' : 'without'} scripts`, () =>
    visit(async (page) => {
      await page.goto(authorizeUrl(portal, { response_mode: 'query' }));
      await signIn(page);
      assert.ok(await page.isChecked('#organization-0'), 'the first by name');
      await page.check('#organization-1');
      await page.click('#organization-submit');
      assert.ok((await returned(page)).code, 'a code');
      await page.goto(authorizeUrl(portal, { response_mode: 'query' }));
      assert.ok(await page.isChecked('#organization-1'), 'the last choice');
      await page.click('#organization-deny');
      assert.equal((await returned(page)).error, 'access_denied');
    }, { javaScriptEnabled }));
}
