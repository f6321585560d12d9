// Single sign-on of an organization: its provider is the second instance, and its domain is proven by a record of DNS.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { authorizeUrl, client, dev, isFirstParty, lookAt, looks, signIn, visit, withApplication, withBrowser } from './browser.js';
import { management } from './management.js';
import { withNames } from './names.js';
import { tokens } from './people.js';

const elsewhere = JSON.parse(process.env.SVC_ELSEWHERE).dev;
const application = client(isFirstParty);
const marie = { username: 'marie@radium.example', password: 'polonium-and-radium-1898' };
let manage;
let connection;
let connections;
withBrowser();
withApplication(application);
const records = withNames();

before(async () => {
  manage = await management('organizations:write sso-connections:write tenant-users:read privileges:grant');
  const there = await management('applications:write tenant-users:write privileges:grant', elsewhere);
  const [owner] = (await manage('GET', `tenant-users?username=${dev.user.username}`)).data;
  const { id } = await manage('POST', 'organizations', { slug: 'radium', name: 'Radium Institute', owner_id: owner.id });
  const [admin] = (await manage('GET', `tenant-users?username=${dev.admin.username}`)).data;
  await manage('PUT', `organizations/${id}/members/${admin.id}`, { roles: [] });
  connections = `organizations/${id}/sso-connections`;
  const domain = await manage('POST', `organizations/${id}/domains`, { domain: 'radium.example' });
  records.set(domain.record_name, domain.record_value);
  await manage('POST', `organizations/${id}/domains/${domain.id}/verify`);
  const made = await manage('POST', connections, {
    display_name: 'Radium Institute', issuer: elsewhere.issuer, client_id: 'not registered yet', client_secret: 'none yet',
    jit: { enabled: true, roles: [] },
  });
  connection = `${connections}/${made.id}`;
  const registered = await there('POST', 'applications', {
    name: 'The first instance', type: 'web', first_party: true, scope: 'openid profile email', grant_types: ['authorization_code'],
    redirect_uris: [`${dev.issuer}${made.return_path}`], token_endpoint_auth_method: 'client_secret_basic',
  });
  await manage('PATCH', connection, { client_id: registered.id, client_secret: registered.client_secret });
  const tested = await manage('POST', `${connection}/test`);
  assert.ok(tested.is_usable, JSON.stringify(tested));
  await manage('PATCH', connection, { enabled: true });
  const person = await there('POST', 'tenant-users', { email: marie.username, name: 'Marie Curie' });
  await there('PUT', `tenant-users/${person.id}/password`, { password: marie.password });
});

/** Goes on to the provider, where Marie signs in, and back. */
async function vouched(page) {
  assert.match(await page.innerText('main'), /Radium Institute/);
  await page.click('#sso-continue');
  await page.waitForURL((url) => url.origin === elsewhere.issuer);
  await signIn(page, marie);
  return tokens(page, application);
}

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with scripts' : 'without scripts';

  test(`an address of the organization leads to its provider and back, ${how}`, () =>
    visit(async (page) => {
      await page.goto(authorizeUrl(application));
      await page.click('#sso-link');
      await page.fill('#sso-username', 'somebody@nowhere.example');
      await page.click('#sso-submit');
      assert.match(await page.innerText('#form-error'), /No single sign-on is set up for this address/);
      await page.click('#sso-link');
      await page.fill('#sso-username', marie.username);
      await page.click('#sso-submit');
      const { id } = await vouched(page);
      assert.deepEqual([id.email, id.name, id.amr], [marie.username, 'Marie Curie', ['fed']]);
      await page.goto(authorizeUrl(application, { organization: 'radium', prompt: 'none' }));
      assert.equal((await tokens(page, application)).id.org.slug, 'radium');
    }, { javaScriptEnabled }));

  test(`where the provider is enforced, the organization and its addresses lead nowhere else, ${how}`, async () => {
    await manage('PATCH', connection, { enforced: true });
    try {
      const subjects = [];
      await visit(async (page) => {
        await page.goto(authorizeUrl(application, { organization: 'radium' }));
        assert.equal(await page.locator('#password').count(), 0);
        subjects.push((await vouched(page)).id.sub);
      }, { javaScriptEnabled });
      await visit(async (page) => {
        await page.goto(authorizeUrl(application));
        await signIn(page, { ...marie, password: 'not looked at here' });
        subjects.push((await vouched(page)).id.sub);
      }, { javaScriptEnabled });
      assert.equal(subjects[0], subjects[1]);
    } finally {
      await manage('PATCH', connection, { enforced: false });
    }
  });
}

for (const [look, options] of Object.entries(looks)) {
  test(`the pages of single sign-on, ${look}`, () =>
    visit(async (page) => {
      await page.goto(authorizeUrl(application));
      await page.click('#sso-link');
      await page.waitForSelector('#sso-submit');
      await lookAt(page, 'sso', look);
      await page.fill('#sso-username', marie.username);
      await page.click('#sso-submit');
      await page.waitForSelector('#sso-continue');
      await lookAt(page, 'sso-continue', look);
    }, options));
}

/** Lets a test have a connection of its own, which was not tested just now. */
async function withConnection(issuer, run) {
  const wanted = { display_name: 'Radium Institute, second', issuer, client_id: 'svc', client_secret: 'not looked at' };
  const { id } = await manage('POST', connections, wanted);
  try {
    await run(`button[value="${id}"]`);
  } finally {
    await manage('DELETE', `${connections}/${id}`);
  }
}

/** Comes to the providers of the organization as its administrator. */
async function openProviders(page) {
  await page.goto(`${dev.issuer}/account/organizations`);
  await signIn(page, dev.admin);
  await page.locator('[id^="organization-sso-"]').first().click();
  await page.waitForSelector('[id^="sso-connection-"]');
}

/** The result of each step. */
const outcomes = (page) => page.locator('[data-outcome]').evaluateAll((steps) => steps.map(({ dataset }) => dataset.outcome));

for (const [look, options] of Object.entries({ ...looks, 'without scripts': { javaScriptEnabled: false } })) {
  const seen = (page, name) => look in looks && lookAt(page, name, look);

  test(`an administrator tests a provider step by step, ${look}`, () =>
    withConnection(elsewhere.issuer, (button) =>
      visit(async (page) => {
        await openProviders(page);
        await seen(page, 'account-sso');
        await page.click(button);
        await page.waitForSelector('#sso-trial');
        assert.deepEqual(await outcomes(page), Array(7).fill('passed'));
        await seen(page, 'account-sso-passed');
      }, options)));

  test(`a provider that is not there is shown apart from one that is, ${look}`, () =>
    withConnection(`${elsewhere.issuer}/nowhere`, (button) =>
      visit(async (page) => {
        await openProviders(page);
        await page.click(button);
        await page.waitForSelector('#sso-trial-cut');
        assert.deepEqual(await outcomes(page), ['failed']);
        await seen(page, 'account-sso-failed');
      }, options)));
}

// Within ten seconds: nothing is looked at in between.
for (const javaScriptEnabled of [true, false]) {
  test(`a provider that was tested just now is not tested again, ${javaScriptEnabled ? 'with' : 'without'} scripts`, () =>
    withConnection(elsewhere.issuer, (button) =>
      visit(async (page) => {
        await openProviders(page);
        await page.click(button);
        await page.waitForSelector('#sso-trial');
        await page.click(button);
        await page.waitForSelector('#form-error');
        assert.equal(await page.locator('#sso-trial').count(), 0);
      }, { javaScriptEnabled })));
}
