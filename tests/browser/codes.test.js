// Sign-in by what is mailed, to its end: codes and links, with scripts and without.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { about, authorizeUrl, client, isFirstParty, mailTo, returned, visit, withApplication, withBrowser } from './browser.js';
import { codeIn, makeKnown, notThis, register, tokens } from './people.js';

const application = client(isFirstParty);
withBrowser();
withApplication(application);

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with scripts' : 'without scripts';
  const person = { username: `by-mail-${javaScriptEnabled}@example.com`, password: 'letters in the morning', name: 'Joan Clarke' };

  test(`a mailed code signs in, and a wrong one does not, ${how}`, async () => {
    await visit((page) => register(page, application, person));
    await visit(async (page) => {
      if (!javaScriptEnabled) await makeKnown(page, application, person);
      await page.goto(authorizeUrl(application));
      await page.click('#email-otp-link');
      await page.fill('#email-otp-address', person.username);
      await page.click('#email-otp-send');
      await page.waitForSelector('#email-otp-code');
      const code = codeIn((await mailTo(person.username, about(/your code to sign in/))).text);
      await page.fill('#email-otp-code', notThis(code));
      await page.click('#email-otp-submit');
      assert.match(await page.innerText('#form-error'), /Look at the newest mail/);
      assert.equal(await page.inputValue('#email-otp-code'), '');
      await page.fill('#email-otp-code', code);
      await page.click('#email-otp-submit');
      const { id } = await tokens(page, application);
      assert.equal(id.email, person.username);
      assert.deepEqual(id.amr, ['otp']);
      assert.equal(id.acr, 'urn:svc:aal1');
    }, { javaScriptEnabled });
  });

  test(`a code that was replaced by a new one does not count, ${how}`, () =>
    visit(async (page) => {
      if (!javaScriptEnabled) await makeKnown(page, application, person);
      const earlier = (await mailTo(person.username, about(/your code to sign in/))).id;
      await page.goto(authorizeUrl(application));
      await page.click('#email-otp-link');
      await page.fill('#email-otp-address', person.username);
      await page.click('#email-otp-send');
      const isNew = (...ids) => (mail) => about(/your code to sign in/)(mail) && !ids.includes(mail.id);
      const first = await mailTo(person.username, isNew(earlier));
      await page.click('#email-otp-resend');
      const second = await mailTo(person.username, isNew(earlier, first.id));
      await page.fill('#email-otp-code', codeIn(first.text));
      await page.click('#email-otp-submit');
      assert.match(await page.innerText('#form-error'), /have a new code sent/);
      await page.fill('#email-otp-code', codeIn(second.text));
      await page.click('#email-otp-submit');
      assert.ok((await returned(page)).code);
    }, { javaScriptEnabled }));

  test(`a mailed code makes an account without a password, ${how}`, () =>
    visit(async (page) => {
      const newcomer = `newcomer-${javaScriptEnabled}@example.com`;
      if (!javaScriptEnabled) await makeKnown(page, application, person);
      await page.goto(authorizeUrl(application));
      await page.click('#register-link');
      await page.fill('#email', newcomer);
      await page.click('button#register-code');
      await page.waitForSelector('input#register-code');
      const code = codeIn((await mailTo(newcomer, about(/code to create an account/))).text);
      await page.fill('#register-code', notThis(code));
      await page.click('#register-code-submit');
      assert.match(await page.innerText('#form-error'), /Look at the newest mail/);
      await page.fill('#register-code', code);
      await page.click('#register-code-submit');
      await page.fill('#name', 'Mavis Batey');
      await page.click('#register-name-submit');
      const { id } = await tokens(page, application);
      assert.deepEqual([id.email, id.name, id.amr], [newcomer, 'Mavis Batey', ['otp']]);
    }, { javaScriptEnabled }));

  test(`a mailed link signs in, in the browser that asked for it alone, ${how}`, () =>
    visit(async (page) => {
      if (!javaScriptEnabled) await makeKnown(page, application, person);
      await page.goto(authorizeUrl(application));
      await page.click('#magic-link-link');
      await page.fill('#magic-link-address', person.username);
      await page.click('#magic-link-send');
      await page.waitForSelector('#magic-link-resend');
      const [link] = (await mailTo(person.username, about(/your link to sign in/))).links;
      await visit(async (other) => {
        await other.goto(link);
        assert.equal(await other.innerText('h1'), 'Open the link where you asked for it');
      }, { javaScriptEnabled });
      await page.goto(link);
      await page.click('#sign-in-link-submit');
      const { id } = await tokens(page, application);
      assert.deepEqual(id.amr, ['otp']);
    }, { javaScriptEnabled }));
}
