// One Chromium for a test file, a fresh context for every visit, and a watch over what pages complain about.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before } from 'node:test';
import { join } from 'node:path';
import axe from 'axe-core';
import { chromium } from 'playwright-core';

/** The line that `svc-runtime dev --json` printed. */
export const dev = JSON.parse(process.env.SVC_DEV);

let browser;

/** Starts Chromium before the tests of the calling file and closes it after them. */
export function withBrowser() {
  before(async () => {
    browser = await chromium.launch({
      executablePath: process.env.SVC_CHROMIUM ?? '/usr/bin/chromium',
      args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'],
    });
  });
  after(() => browser?.close());
}

/** A person with a new browser profile visits; whatever a page complained about fails the test. */
export async function visit(visitor, options = {}) {
  const context = await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce', ...options });
  context.setDefaultTimeout(15_000);
  // What is chosen in a browser comes before the language of an account: people of the demonstration have one of their own.
  if (options.locale) await context.addCookies([{ name: 'svc_language', value: options.locale, url: dev.issuer }]);
  countRequests(context);
  context.on('page', followClicks);
  const page = await context.newPage();
  const complaints = watch(page);
  try {
    await visitor(page, context);
    assert.deepEqual(complaints(), [], 'a page complained');
  } catch (error) {
    // Reporters print the stack, which has the message as it was.
    error.stack += `\n  at ${page.url()}\n  complaints: ${JSON.stringify(complaints())}`;
    throw error;
  } finally {
    await context.close();
  }
}

/** A click that leads to another page ends when the scripts of that page have run: what they change can be read and used then. */
function followClicks(page) {
  const click = page.click.bind(page);
  page.click = async (selector, options) => {
    await click(selector, options);
    if (!options?.noWaitAfter) await page.waitForLoadState('load');
  };
}

/** The requests of a browser profile that are on their way. */
const underway = new WeakMap();

function countRequests(context) {
  const requests = new Set();
  underway.set(context, requests);
  context.on('request', (request) => requests.add(request));
  for (const end of ['requestfinished', 'requestfailed']) context.on(end, (request) => requests.delete(request));
}

/** Waits until a page has loaded, has painted what its scripts made of it, and waits for no answer. */
export async function settled(page) {
  await page.waitForLoadState('load');
  do {
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  } while (underway.get(page.context()).size > 0);
}

/** What axe-core finds in a page, or in a part of it, against WCAG 2.2 AA, contrast among it; what it cannot decide counts too. */
export async function accessibilityFaults(page, part = 'html') {
  await page.evaluate(axe.source);
  const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
  // Of the rest it need not say where each element stands, which takes it long.
  const run = ([part, tags]) => window.axe.run(part, { runOnly: tags, resultTypes: ['violations', 'incomplete'] });
  const { passes, violations, incomplete } = await page.evaluate(run, [part, rules]);
  const looked = passes.concat(violations).some(({ id }) => id === 'color-contrast');
  const faults = violations.concat(incomplete).flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target}: ${failureSummary}`));
  return looked ? faults : faults.concat('no contrast was measured');
}

function watch(page) {
  const said = [];
  const documents = new Set();
  page.on('response', (response) => {
    if (response.request().isNavigationRequest()) documents.add(response.url());
  });
  page.on('pageerror', (error) => said.push({ text: String(error) }));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) said.push({ text: message.text(), url: message.location().url });
  });
  // A page that refuses something has a status of 4xx, which Chromium reports although it is meant; so is what a test blocks.
  const isMeant = ({ text, url }) =>
    text.startsWith('Failed to load resource') && (documents.has(url) || text.includes('ERR_BLOCKED_BY_CLIENT'));
  return () => said.filter((complaint) => !isMeant(complaint)).map(({ text }) => text);
}

/** Fills the sign-in page and sends it. */
export async function signIn(page, { username, password } = dev.user) {
  await page.fill('#username', username);
  await page.fill('#password', password);
  await page.click('#login-submit');
}

/** The newest mail of an instance to an address that is meant, waited for: mails are sent after the page is answered. */
export async function mailTo(address, isMeant = () => true, { issuer } = dev) {
  for (let turn = 0; turn < 300; turn += 1) {
    const { data } = await (await fetch(`${issuer}/dev/inbox.json`)).json();
    const mail = data.find((mail) => mail.to === address && isMeant(mail));
    if (mail) return mail;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`no such mail to ${address}`);
}

/** Mails of which the subject is like this. */
export const about = (pattern) => ({ subject }) => pattern.test(subject);

/** How many mails an address has. */
export async function mailsTo(address) {
  const { data } = await (await fetch(`${dev.issuer}/dev/inbox.json`)).json();
  return data.filter(({ to }) => to === address).length;
}

const desk = { viewport: { width: 1280, height: 900 } };
const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 };

/** How pages are looked at. */
export const everyLook = {
  light: { colorScheme: 'light', ...desk },
  dark: { colorScheme: 'dark', ...desk },
  phone: { colorScheme: 'light', ...phone },
  // 200 % of a small window.
  zoomed: { colorScheme: 'light', viewport: { width: 640, height: 450 }, deviceScaleFactor: 2 },
  'right-to-left': { colorScheme: 'light', locale: 'ar', ...desk },
  'right-to-left-phone': { colorScheme: 'dark', locale: 'ar', ...phone },
};

/** Those that SVC_LOOKS names, or all. */
const wanted = process.env.SVC_LOOKS?.split(',') ?? Object.keys(everyLook);
export const looks = Object.fromEntries(wanted.map((name) => [name, everyLook[name]]));

/**
 * Looks at a page: what its measures find, and axe-core in the page or in a part of it, fails the test; a picture is kept in the
 * folder SVC_SCREENSHOTS.
 */
export async function lookAt(page, name, look, part) {
  await settled(page);
  const faults = await page.evaluate(inspect, everyLook[look]?.locale);
  faults.push(...(await page.evaluate(weigh)));
  faults.push(...(await accessibilityFaults(page, part)));
  assert.deepEqual(faults, [], `${name}, ${look}`);
  if (process.env.SVC_SCREENSHOTS) await page.screenshot({ path: join(process.env.SVC_SCREENSHOTS, `${name}-${look}.png`) });
}

/** A client of the ready line by a predicate. */
export function client(fits) {
  const found = dev.clients.find(fits);
  assert.ok(found, `no such client in ${JSON.stringify(dev.clients)}`);
  return found;
}

/** The application that asks for consent. */
export const isThirdParty = ({ name }) => name?.includes('Third-party') ?? false;

/** An application that does not. */
export const isFirstParty = (registered) =>
  !isThirdParty(registered) && registered.token_endpoint_auth_method === 'none';

/** The address that starts a code flow of an application. */
export function authorizeUrl({ client_id, redirect_uris }, extra = {}) {
  const url = new URL(`${dev.issuer}/oauth/authorize`);
  url.search = new URLSearchParams({
    client_id,
    redirect_uri: redirect_uris[0],
    response_type: 'code',
    scope: 'openid profile email',
    state: 'a-state',
    nonce: 'a-nonce',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    ...extra,
  });
  return url.href;
}

/** The application that asks for devices and for people elsewhere. */
export const service = dev.clients.find(({ handle }) => handle === 'service');

/** Begins a device authorization. */
export function startDevice() {
  return asService('/oauth/device/code', { scope: 'openid profile offline_access' });
}

/** Asks a person elsewhere; the person compares the message. */
export function ask(login_hint, binding_message) {
  return asService('/bc-authorize', { scope: 'openid profile email', login_hint, binding_message });
}

/** What the application gets that began one of them. */
export function poll({ device_code, auth_req_id }) {
  return device_code
    ? asService('/oauth/token', { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code })
    : asService('/oauth/token', { grant_type: 'urn:openid:params:grant-type:ciba', auth_req_id });
}

async function asService(path, parameters) {
  const { client_id, client_secret } = service;
  const body = new URLSearchParams({ client_id, client_secret, ...parameters });
  return (await fetch(`${dev.issuer}${path}`, { method: 'POST', body })).json();
}

/** Listens where an application would, and answers everything with a page that says so. */
export function withApplication(registered) {
  const { hostname, port } = new URL(registered.redirect_uris[0]);
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end('<!doctype html><link rel="icon" href="data:,"><title>Back</title><p id="back">Back at the application</p>');
  });
  before(() => new Promise((resolve, reject) => server.once('error', reject).listen(Number(port), hostname, resolve)));
  after(() => new Promise((resolve) => { server.close(resolve); server.closeAllConnections(); }));
}

/** The parameters with which the browser came back to the application. */
export async function returned(page) {
  await page.waitForSelector('#back');
  return Object.fromEntries(new URL(page.url()).searchParams);
}

/** Runs in the page: what a hosted page weighs, compressed, with everything that it needs; and how much it moved while it was built. */
async function weigh() {
  if (!/^\/(auth|account|oauth)\b/.test(location.pathname)) return [];
  const loaded = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
  const bytes = loaded.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
  const moved = [];
  const observer = new PerformanceObserver((list) => moved.push(...list.getEntries()));
  observer.observe({ type: 'layout-shift', buffered: true });
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  moved.push(...observer.takeRecords());
  const shift = moved.filter(({ hadRecentInput }) => !hadRecentInput).reduce((sum, { value }) => sum + value, 0);
  const faults = [];
  if (bytes >= 30_000) faults.push(`${bytes} bytes, which is too much`);
  // Browsers call 0.1 good.
  if (shift > 0.02) faults.push(`the layout shifted by ${shift}`);
  return faults;
}

/** Runs in the page, which is looked at in a language if it is one of ours. */
function inspect(language) {
  const faults = [];
  const root = document.documentElement;
  const isOurs = /^\/(auth|account|oauth)\b/.test(location.pathname);
  if (language && isOurs && root.lang !== language) faults.push(`in ${root.lang} rather than ${language}`);
  if (root.scrollWidth > root.clientWidth) faults.push(`wider than the window: ${root.scrollWidth}`);
  if (!root.lang) faults.push('no language');
  if (!document.title.trim()) faults.push('no title');
  if (document.querySelectorAll('h1').length !== 1) faults.push('not exactly one h1');
  if (!document.querySelector('main')) faults.push('no main');
  for (const input of document.querySelectorAll('input:not([type=hidden], [aria-hidden=true])')) {
    if (!input.labels?.length && !input.ariaLabel) faults.push(`no label: ${input.name}`);
  }
  for (const button of document.querySelectorAll('button')) {
    const { width, height } = button.getBoundingClientRect();
    if (width > 0 && (width < 24 || height < 24)) faults.push(`too small to hit: ${button.id}`);
  }
  for (const image of document.images) {
    if (!image.hasAttribute('alt')) faults.push(`no text instead of the image ${image.src}`);
  }
  return faults;
}
