// What a tenant asks its people for, looked at and used: at the next sign-in, in the account centre, and without scripts.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { authorizeUrl, client, dev, isFirstParty, lookAt, looks, returned, signIn, visit, withApplication, withBrowser } from './browser.js';

const application = client(isFirstParty);
let token;
let made = [];
withBrowser();
withApplication(application);

/** A call of the management API by the application of administrators. */
async function manage(method, path, body) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const answer = await fetch(`${dev.issuer}/api/v1/${path}`, { method, headers, body: body && JSON.stringify(body) });
  return { status: answer.status, body: answer.status === 204 ? null : await answer.json() };
}

/** Adds a record, which is deleted with the others. */
async function add(resource, body) {
  const { status, body: record } = await manage('POST', resource, body);
  assert.equal(status, 201, JSON.stringify(record));
  made.push(`${resource}/${record.id}`);
  return record;
}

/** The tenant asks for nothing any more. */
async function nothing() {
  for (const path of made.splice(0)) assert.equal((await manage('DELETE', path)).status, 204, path);
}

const texts = (label, help) => ({ language: 'en', texts: { en: { label, help }, ar: { label: `${label} ؟` } } });

/** The tenant asks for a document that no one has accepted, and for one answer of each type. */
async function everything() {
  const label = `${Date.now()}-${Math.random()}`.slice(0, 30);
  await add('terms', {
    key: 'browser', label, language: 'en', effective_at: new Date().toISOString(), accept_again_from: new Date().toISOString(),
    documents: { en: { title: 'Terms of the example', url: 'https://example.com/terms' } },
  });
  const name = (kind) => `${kind}_${Date.now()}`;
  await add('sign-up-fields', { name: name('company'), type: 'text', required: true, order: 1, ...texts('Company', 'Where you work') });
  await add('sign-up-fields', { name: name('size'), type: 'choice', required: true, order: 2, choices: [{ value: 'small' }, { value: 'large' }], ...texts('Size') });
  await add('sign-up-fields', { name: name('since'), type: 'date', required: true, order: 3, ...texts('Since') });
  await add('sign-up-fields', { name: name('sure'), type: 'checkbox', required: true, order: 4, ...texts('I am sure') });
}

before(async () => {
  const { client_id, client_secret } = dev.clients.find(({ handle }) => handle === 'admin-cli');
  const form = { grant_type: 'client_credentials', scope: 'terms:write sign-up-fields:write', resource: `${dev.issuer}/api` };
  const authorization = `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`;
  const answer = await fetch(`${dev.issuer}/oauth/token`, { method: 'POST', headers: { authorization }, body: new URLSearchParams(form) });
  token = (await answer.json()).access_token;
});

after(nothing);

for (const [look, options] of Object.entries(looks)) {
  test(`the pages of what people are asked for, ${look}`, async () => {
    await everything();
    try {
      await visit(async (page) => {
        await page.goto(authorizeUrl(application, { response_mode: 'query' }));
        await signIn(page);
        await page.waitForSelector('#complete-submit');
        assert.equal(await page.isChecked('#terms-0'), false);
        await lookAt(page, 'complete', look);
        await page.evaluate(() => { document.querySelector('form[action]').noValidate = true; });
        await page.fill('input[type=text]', 'Acme');
        await page.click('#complete-submit');
        await page.waitForSelector('#terms-0-fault');
        assert.equal(await page.inputValue('input[type=text]'), 'Acme');
        await lookAt(page, 'complete-refused', look);
        await page.goto(`${dev.issuer}/account/terms`);
        await lookAt(page, 'account-terms', look);
        await page.goto(`${dev.issuer}/account/details`);
        await lookAt(page, 'account-details', look);
      }, options);
    } finally {
      await nothing();
    }
  });
}

for (const javaScriptEnabled of [true, false]) {
  test(`a person accepts and answers on the way, ${javaScriptEnabled ? 'with' : 'without'} scripts`, async () => {
    await everything();
    try {
      await visit(async (page) => {
        await page.goto(authorizeUrl(application, { response_mode: 'query' }));
        await signIn(page);
        await page.fill('input[type=text]', 'Acme');
        await page.selectOption('select[name^=field_]', 'large');
        await page.fill('input[type=date]', '2024-02-29');
        await page.check('input[type=checkbox][name^=field_]');
        // Back and forth changes nothing: the page is asked for again.
        await page.goto(authorizeUrl(application, { response_mode: 'query' }));
        await page.waitForSelector('#complete-submit');
        await page.fill('input[type=text]', 'Acme');
        await page.selectOption('select[name^=field_]', 'large');
        await page.fill('input[type=date]', '2024-02-29');
        await page.check('input[type=checkbox][name^=field_]');
        await page.check('#terms-0');
        await page.click('#complete-submit');
        assert.ok((await returned(page)).code, 'a code');
        await page.goto(authorizeUrl(application, { response_mode: 'query' }));
        assert.ok((await returned(page)).code, 'it is not asked again');
        await page.goto(`${dev.issuer}/account/details`);
        assert.equal(await page.inputValue('input[type=date]'), '2024-02-29');
        await page.goto(`${dev.issuer}/account/terms`);
        assert.match(await page.textContent('#accepted-0'), /Terms of the example/);
      }, { javaScriptEnabled });
    } finally {
      await nothing();
    }
  });
}
