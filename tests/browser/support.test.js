// Support staff who act for a person: asked for through the API, approved by the person, begun by a link, marked on every page, ended by a button.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { authorizeUrl, client, dev, isFirstParty, lookAt, looks, returned, signIn, visit, withApplication, withBrowser } from './browser.js';

const application = client(isFirstParty);
const desk = { redirect_uris: application.redirect_uris };
const reason = 'Ticket 4711: the export stays empty';
let ada;
withBrowser();
withApplication(application);

async function call(token, method, path, body) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' };
  const answer = await fetch(`${dev.issuer}/api/v1/${path}`, { method, headers, body: body && JSON.stringify(body) });
  const text = await answer.text();
  assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${text}`);
  return text ? JSON.parse(text) : {};
}

async function settings(token, impersonation) {
  await call(token, 'PATCH', 'tenant-settings', { settings: { impersonation } });
}

async function ofAdministrators() {
  const { client_id, client_secret } = dev.clients.find(({ handle }) => handle === 'admin-cli');
  const scope = 'tenant-settings:read tenant-settings:write applications:write tenant-users:read privileges:grant impersonations:read impersonations:write';
  const body = new URLSearchParams({ grant_type: 'client_credentials', scope, resource: `${dev.issuer}/api` });
  const authorization = `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`;
  const answer = await fetch(`${dev.issuer}/oauth/token`, { method: 'POST', headers: { authorization }, body });
  return (await answer.json()).access_token;
}

before(async () => {
  const token = await ofAdministrators();
  await settings(token, { enabled: true, approval_required: true, max_minutes: 15 });
  const people = await call(token, 'GET', `tenant-users?username=${dev.user.username}`);
  ada = people.data[0].id;
  const made = await call(token, 'POST', 'applications', {
    handle: `support-${Date.now()}`, name: 'Support desk', type: 'web', redirect_uris: desk.redirect_uris, first_party: true,
    token_endpoint_auth_method: 'client_secret_post', grant_types: ['authorization_code'],
    scope: 'openid impersonations:read impersonations:write',
  });
  Object.assign(desk, { client_id: made.client_id ?? made.id, client_secret: made.client_secret ?? made.secret });
});

// Of the challenge that authorizeUrl sends (RFC 7636, Appendix B).
const code_verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';

/** A token of the staff member who is, or now signs, in in this browser. */
async function tokenOfStaff(page) {
  const url = authorizeUrl(desk, { scope: 'openid impersonations:read impersonations:write', resource: `${dev.issuer}/api` });
  await page.goto(url);
  if (await page.isVisible('#password')) await signIn(page, dev.admin);
  const { code } = await returned(page);
  const { client_id, client_secret, redirect_uris: [redirect_uri] } = desk;
  const body = new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri, client_id, client_secret, code_verifier });
  const answer = await (await fetch(`${dev.issuer}/oauth/token`, { method: 'POST', body })).json();
  assert.ok(answer.access_token, JSON.stringify(answer));
  return answer.access_token;
}

/** The person approves in a browser of their own. */
function approve(look, options) {
  return visit(async (page) => {
    await page.goto(`${dev.issuer}/auth/approvals`);
    await signIn(page);
    const section = page.locator('section', { hasText: reason });
    await section.waitFor();
    await lookAt(page, 'support-request', look);
    await section.locator('[id^=support-allow]').click();
    await page.waitForSelector('.card-center');
    await page.goto(`${dev.issuer}/account/support`);
    await lookAt(page, 'account-support', look);
  }, options);
}

// One person is asked five times an hour at most, so that one look is left to the others.
for (const [look, options] of Object.entries(looks).filter(([look]) => look !== 'right-to-left')) {
  test(`a staff member acts for a person who approves, ${look}`, () =>
    visit(async (page) => {
      const token = await tokenOfStaff(page);
      const asked = await call(token, 'POST', 'impersonations', { tenant_user_id: ada, reason, minutes: 10 });
      await approve(look, options);
      const { url } = await call(token, 'POST', `impersonations/${asked.id}/link`);
      await page.goto(url);
      assert.ok((await page.innerText('main')).includes(reason));
      await lookAt(page, 'impersonate', look);
      await page.click('#impersonate-submit');
      await page.waitForSelector('#acting');
      // The page behind it is the reference of the API, which has a test of its own.
      await lookAt(page, 'acting', look, '#acting');
      await page.goto(`${dev.issuer}/account`);
      await page.waitForSelector('#acting');
      await lookAt(page, 'acting-account', look);
      await page.goto(`${dev.issuer}/account/password`);
      await page.waitForSelector('#acting-account');
      await lookAt(page, 'acting-refused', look);
      await page.goto(`${dev.issuer}/account/profile`);
      assert.ok(await page.isDisabled('#profile-submit'), 'it would be refused');
      await lookAt(page, 'acting-profile', look);
      await page.click('#acting-end');
      await page.waitForSelector('#acting', { state: 'detached' });
      const ended = await call(token, 'GET', `impersonations/${asked.id}`);
      assert.equal(ended.state, 'ended');
    }, options));
}
