// Sign-in with Ethereum by the wallet of a browser, which the test puts into the page; the account is a contract's, whose node is here.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { authorizeUrl, client, dev, isFirstParty, lookAt, looks, returned, signIn, visit, withApplication, withBrowser } from './browser.js';

const ACCOUNTS = ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'];
const SIGNATURE = '0xc0ffee';
const MAGIC = `0x1626ba7e${'0'.repeat(56)}`;

const application = client(isFirstParty);
withBrowser();
withApplication(application);
withNode(Number(process.env.SVC_NODE_PORT));

/** The node of the chain: each contract takes the signature of the test for its own. */
function withNode(port) {
  const node = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    const { id, method, params } = JSON.parse(body);
    const isGood = method === 'eth_call' && params[0].data.includes(SIGNATURE.slice(2));
    const result = method === 'eth_chainId' ? '0x1' : isGood ? MAGIC : '0x';
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });
  before(() => new Promise((resolve) => node.listen(port, '127.0.0.1', resolve)));
  after(() => new Promise((resolve) => { node.close(resolve); node.closeAllConnections(); }));
}

/** Runs in the page: a wallet with one account. */
function wallet({ name, account, signature, announces, refuses }) {
  const asked = (window.asked ??= []);
  const provider = {
    request: async ({ method, params }) => {
      asked.push({ name, method, params });
      if (method === 'eth_chainId') return '0x1';
      if (method !== 'personal_sign') return [account.toLowerCase()];
      if (refuses) throw Object.assign(new Error('the person refused'), { code: 4001 });
      return signature;
    },
  };
  if (!announces) {
    window.ethereum = provider;
    return;
  }
  const detail = { info: { uuid: name, name, icon: '', rdns: name }, provider };
  window.addEventListener('eip6963:requestProvider', () =>
    window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail })));
}

const first = { name: 'First', account: ACCOUNTS[0], signature: SIGNATURE };

/** From the sign-in page to the page that asks for the account. */
async function begin(page) {
  await page.goto(authorizeUrl(application, { prompt: 'login' }));
  await page.click('#siwe-link');
  await page.waitForSelector('#siwe-next');
}

test('a wallet signs a person in by one button, and the next time again', () =>
  visit(async (page, context) => {
    await page.addInitScript(wallet, first);
    for (const turn of [1, 2]) {
      await begin(page);
      await page.click('#siwe-wallet');
      assert.ok((await returned(page)).code, `turn ${turn}`);
      await context.clearCookies();
    }
  }));

test('of several wallets the person chooses one, and that one signs what the page shows', () =>
  visit(async (page) => {
    await page.addInitScript(wallet, { ...first, announces: true });
    await page.addInitScript(wallet, { name: 'Second', account: ACCOUNTS[1], refuses: true, announces: true });
    await begin(page);
    await page.click('button:has-text("Second")');
    const status = page.locator('form [role=status]');
    await status.waitFor();
    assert.match(await status.innerText(), /did not answer/);
    const message = await page.inputValue('#siwe-message');
    assert.ok(message.includes(`\n${ACCOUNTS[1]}\n`), message);
    const asked = await page.evaluate(() => window.asked.filter(({ method }) => method === 'personal_sign'));
    assert.deepEqual(asked.map(({ name }) => name), ['Second']);
    const [text, account] = asked[0].params;
    assert.equal(Buffer.from(text.slice(2), 'hex').toString(), message);
    assert.equal(account, ACCOUNTS[1]);
    await page.fill('#siwe-signature', SIGNATURE);
    await page.click('#siwe-submit');
    assert.ok((await returned(page)).code, 'what is pasted counts as well');
  }));

test('a person adds a wallet to their account and takes it away', () =>
  visit(async (page) => {
    const account = `0x${'7'.repeat(40)}`;
    await page.addInitScript(wallet, { ...first, account });
    await page.goto(`${dev.issuer}/account/identities`);
    await signIn(page);
    await page.click('#identity-add-ethereum');
    await page.click('#siwe-wallet');
    await page.waitForSelector('#notice');
    assert.match(await page.innerText('.centre-section'), /Ethereum/);
    await page.click('#identity-remove-0');
    await page.waitForSelector('#identities-none');
  }));

test('without scripts the page says what is needed and leads back, and the person signs elsewhere and pastes the signature', () =>
  visit(async (page) => {
    await begin(page);
    assert.match(await page.innerText('#siwe-needs'), /need a wallet/);
    await page.click('#ways-link');
    await page.waitForSelector('#password');
    await begin(page);
    await page.fill('#siwe-address', ACCOUNTS[1]);
    await page.click('#siwe-next');
    await page.waitForSelector('#siwe-message');
    assert.equal(await page.isVisible('#siwe-wallet'), false);
    await page.fill('#siwe-signature', '0xbad0');
    await page.click('#siwe-submit');
    await page.waitForSelector('#form-error');
    await page.fill('#siwe-signature', SIGNATURE);
    await page.click('#siwe-submit');
    assert.ok((await returned(page)).code);
  }, { javaScriptEnabled: false }));

for (const [name, look] of Object.entries(looks)) {
  test(`the pages without a wallet are readable, ${name}`, () =>
    visit(async (page) => {
      await begin(page);
      await lookAt(page, 'siwe-address', name);
      assert.equal(await page.isVisible('#siwe-wallet'), false);
      await page.fill('#siwe-address', ACCOUNTS[0]);
      await page.click('#siwe-next');
      await page.waitForSelector('#siwe-message');
      await lookAt(page, 'siwe-message', name);
    }, look));
}
