// A person in front of Chromium, for tests against the running server (SVC_DEV).
import { after, before } from 'node:test';
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

/** Runs with the page of a new profile. */
export async function visit(visitor) {
  const context = await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce' });
  context.setDefaultTimeout(15_000);
  const page = await context.newPage();
  try {
    return await visitor(page, context);
  } catch (error) {
    error.message += `\n  at ${page.url()}\n  page: ${await page.textContent('body').catch(() => '')}`;
    throw error;
  } finally {
    await context.close();
  }
}

/** Fills the sign-in page and sends it. */
export async function signIn(page, { username, password } = dev.user) {
  await page.fill('#username', username);
  await page.fill('#password', password);
  await page.click('#login-submit');
}
