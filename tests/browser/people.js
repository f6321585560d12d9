// People of the tests: how they register, what they are sent, the app that makes their codes, and what an application learns of them.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { authorizeUrl, dev, mailTo, returned, signIn } from './browser.js';

/** Registers a person by the mailed link, who is signed in then. */
export async function register(page, application, { username, password, name }) {
  await page.goto(authorizeUrl(application));
  await page.click('#register-link');
  await page.fill('#email', username);
  await page.click('#register-submit');
  await page.goto((await mailTo(username)).links[0]);
  await page.fill('#name', name);
  await page.fill('#password', password);
  await page.click('#verify-submit');
  await returned(page);
}

export async function signOut(page) {
  await page.goto(`${dev.issuer}/oauth/end-session`);
  await page.click('#logout-confirm');
  await page.waitForSelector('#logout-confirm', { state: 'detached' });
}

/** Signs a person in and out: a browser that is known asks for no work against robots, which needs scripts. */
export async function makeKnown(page, application, person) {
  await page.goto(authorizeUrl(application));
  await signIn(page, person);
  await returned(page);
  await signOut(page);
}

const read = new Set();

/** The newest text message to a number that was not read yet, waited for. */
export async function nextText(number) {
  for (let turn = 0; turn < 300; turn += 1) {
    const { texts } = await (await fetch(`${dev.issuer}/dev/inbox.json`)).json();
    const text = texts.find(({ id, to }) => to === number && !read.has(id));
    if (text) {
      read.add(text.id);
      return text.body;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`no text message to ${number}`);
}

/** The code in a text. */
export function codeIn(text) {
  const [code] = text.match(/\b\d{6}\b/) ?? [];
  assert.ok(code, text);
  return code;
}

/** Another code than this one. */
export const notThis = (code) => (code === '000000' ? '000001' : '000000');

/** The code of RFC 6238 for a key in base32, `steps` steps of 30 seconds from now. */
export function appCode(key, steps = 0) {
  const bits = [...key].map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const secret = Buffer.from(bits.match(/.{8}/g).map((byte) => parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps));
  const hash = createHmac('sha1', secret).update(counter).digest();
  const at = hash[19] & 15;
  return String((hash.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

// Of the challenge that authorizeUrl sends (RFC 7636, Appendix B).
const code_verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';

const claims = (token) => JSON.parse(Buffer.from(token.split('.')[1], 'base64url'));

/** The claims of ID token and access token that a public application gets with the code of this page. */
export async function tokens(page, { client_id, redirect_uris: [redirect_uri] }) {
  const { code, error } = await returned(page);
  assert.ok(code, error);
  const body = new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri, client_id, code_verifier });
  const answer = await (await fetch(`${dev.issuer}/oauth/token`, { method: 'POST', body })).json();
  assert.ok(answer.id_token, JSON.stringify(answer));
  return { id: claims(answer.id_token), access: claims(answer.access_token) };
}
