// A phone number: proven in the account centre, then good for signing in, as the second factor, and for a new password.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { about, authorizeUrl, client, dev, isFirstParty, mailTo, returned, signIn, visit, withApplication, withBrowser } from './browser.js';
import { makeApplication, management } from './management.js';
import { codeIn, makeKnown, nextText, notThis, register, tokens } from './people.js';

const application = client(isFirstParty);
let strict;
withBrowser();
withApplication(application);

before(async () => {
  const manage = await management('applications:write');
  strict = await makeApplication(manage, application, { second_factor_required: true });
});

/** Types a wrong code, reads what the page says, and types the right one. */
async function prove(page, number, [field, submit]) {
  await page.waitForSelector(field);
  const code = codeIn(await nextText(number));
  await page.fill(field, notThis(code));
  await page.click(submit);
  assert.match(await page.innerText('#form-error'), /Look at the newest text message/);
  await page.fill(field, code);
  await page.click(submit);
}

for (const [javaScriptEnabled, number] of [[true, '+442079460701'], [false, '+442079460702']]) {
  const how = javaScriptEnabled ? 'with scripts' : 'without scripts';
  const person = { username: `phone-${javaScriptEnabled}@example.com`, password: 'a number in the notebook', name: 'Mary Jackson' };
  const arrive = async (page) => { if (!javaScriptEnabled) await makeKnown(page, application, person); };

  test(`a number counts once its code was typed, ${how}`, async () => {
    await visit((page) => register(page, application, person));
    await visit(async (page) => {
      await page.goto(`${dev.issuer}/account/phone`);
      await signIn(page, person);
      await page.fill('#phone', '12');
      await page.click('#phone-send');
      assert.match(await page.innerText('#phone-fault'), /with the code of the country/);
      await page.fill('#phone', number);
      await page.click('#phone-send');
      await prove(page, number, ['#phone-code', '#phone-confirm']);
      assert.equal(await page.innerText('#notice'), 'The phone number is confirmed.');
      assert.match(await page.innerText('.facts'), new RegExp(`\\${number}`));
      await mailTo(person.username, about(/was added/));
    }, { javaScriptEnabled });
  });

  test(`a texted code signs in, ${how}`, () =>
    visit(async (page) => {
      await arrive(page);
      await page.goto(authorizeUrl(application));
      await page.click('#sms-link');
      await page.fill('#sms-number', number);
      await page.click('#sms-send');
      await prove(page, number, ['#sms-code', '#sms-submit']);
      const { id } = await tokens(page, application);
      assert.equal(id.email, person.username);
      assert.deepEqual([id.amr, id.acr], [['sms'], 'urn:svc:aal1']);
    }, { javaScriptEnabled }));

  test(`a texted code is the second factor behind the password, ${how}`, () =>
    visit(async (page) => {
      await page.goto(authorizeUrl(strict));
      await signIn(page, person);
      await page.click('#sms-begin');
      assert.match(await page.innerText('main'), new RegExp(`ends with \\W?${number.slice(-3)}\\b`));
      await prove(page, number, ['#sms-code', '#sms-submit']);
      const { id } = await tokens(page, strict);
      assert.deepEqual([id.amr.toSorted(), id.acr], [['mfa', 'pwd', 'sms'], 'urn:svc:aal2']);
    }, { javaScriptEnabled }));

  test(`a texted code leads to a new password, ${how}`, () =>
    visit(async (page) => {
      await arrive(page);
      await page.goto(authorizeUrl(application));
      await page.click('#forgot-link');
      await page.click('#sms-link');
      await page.fill('#sms-number', number);
      await page.click('#sms-send');
      await prove(page, number, ['#sms-code', '#sms-submit']);
      await page.fill('#password', `${person.password} of another year`);
      await page.click('#reset-submit');
      assert.match(await page.innerText('.note'), /Your password has been changed/);
      assert.match(await nextText(number), /^The password of your account at Demo was changed/);
      await signIn(page, person);
      await page.waitForSelector('#form-error');
      await signIn(page, { ...person, password: `${person.password} of another year` });
      assert.ok((await returned(page)).code);
    }, { javaScriptEnabled }));
}
