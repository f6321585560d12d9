// What the small examples for browsers do alike, in Chromium against the running server (SVC_DEV).
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import axe from 'axe-core';
import { build } from 'vite';
import { dev, embedded, passkey, signIn, visit, withBrowser } from '../test/chromium.js';
import { application, endSessions, person } from '../test/service.js';

const SCOPE = 'openid profile email offline_access';

export function tests(name, root) {
  withBrowser();
  const example = { home: '', first: '', third: '', now: '', organizations: '', isLate: false };
  const server = createServer();
  before(async () => {
    await new Promise((resolve) => server.listen(0, 'localhost', resolve));
    const origin = `http://localhost:${server.address().port}`;
    example.home = `${origin}/`;
    const metadata = {
      name: `The example of ${name}`, type: 'spa', token_endpoint_auth_method: 'none', scope: SCOPE,
      redirect_uris: [`${origin}/callback`], post_logout_redirect_uris: [`${origin}/`], allowed_origins: [origin],
    };
    example.first = (await application({ ...metadata, first_party: true })).client_id;
    example.third = (await application(metadata)).client_id;
    const files = await built(root);
    server.on('request', (request, response) => {
      const url = new URL(request.url, origin);
      const { pathname } = url;
      // The server answers a code that has ended as one that it never issued.
      if (example.isLate && pathname === '/callback') {
        example.isLate = false;
        url.searchParams.set('code', 'ended');
        response.writeHead(302, { location: url.href }).end();
        return;
      }
      response.setHeader('content-type', pathname.endsWith('.js') ? 'text/javascript' : 'text/html; charset=utf-8');
      response.end(String(files.get(pathname) ?? files.get('/index.html')).replaceAll('__CLIENT_ID__', example.now).replaceAll('__ORGANIZATIONS__', example.organizations));
    });
  });
  after(() => {
    server.close();
    server.closeAllConnections();
  });
  /** As a person with a new profile meets the application of the tenant itself, or that of a third party. */
  const meet = (visitor, kind = 'first') => visit(async (page, context) => {
    example.now = example[kind];
    await page.goto(example.home);
    await shows(page, '#status', 'signed-out');
    await visitor(page, context);
  });
  const begin = (page) => page.click('button:text-is("Sign in")');

  test(`the example of ${name}: sign-in, renewal, another tab, sign-out in both`, () => meet(async (page, context) => {
    await begin(page);
    await signIn(page);
    await shows(page, '#person', 'Ada Lovelace');
    assert.equal(page.url(), example.home);
    await page.click('#renew');
    await shows(page, '#said', 'renewed');
    const other = await context.newPage();
    await other.goto(example.home);
    await shows(other, '#person', 'Ada Lovelace');
    await page.click('[aria-label^=Account]');
    // The page says so at once, and then leads to the service and is loaded again.
    await Promise.all([page.waitForEvent('load'), page.click('[role=menuitem]:text-is("Sign out")')]);
    await page.waitForURL(example.home);
    await shows(other, '#status', 'signed-out');
    await begin(page);
    await page.waitForSelector('#login-submit');
  }));

  test(`the example of ${name}: is accessible, signed in and out, with an open menu`, () => meet(async (page) => {
    await accessible(page);
    await begin(page);
    await signIn(page);
    await shows(page, '#person', 'Ada Lovelace');
    await page.click('[aria-label^=Account]');
    await accessible(page);
  }));

  test(`the example of ${name}: step-up, another organization, the end of the session elsewhere`, () => meet(async (page) => {
    const grace = await person(['Initech', 'Hooli']);
    const answers = await passkey(page, grace);
    example.organizations = grace.organizations.join();
    await page.goto(example.home);
    await begin(page);
    await signIn(page, grace);
    await shows(page, '#acr', 'urn:svc:aal1');
    await page.click('#step-up');
    await page.waitForSelector('#passkey-submit');
    // The button needs the script of its page.
    await page.waitForLoadState();
    await answers(true);
    await page.click('#passkey-submit');
    await shows(page, '#acr', 'urn:svc:aal2');

    for (const slug of [...grace.organizations, grace.organizations[0]]) {
      await page.click('[aria-label^=Organization]');
      await page.click(`[role=menuitemradio]:text-is("${slug}")`);
      await shows(page, '#organization', slug);
    }

    await endSessions(grace);
    await page.click('#renew');
    await shows(page, '#status', 'signed-out');
  }));

  test(`the example of ${name}: a page of another site that embeds it gets no session and no message, and no sign-in begins there`, () => meet(async (page, context) => {
    await begin(page);
    await signIn(page);
    await shows(page, '#status', 'signed-in');
    await embedded(await context.newPage(), example.home, async (frame, heard) => {
      await shows(frame, '#status', 'signed-out');
      await frame.click('button:text-is("Sign in")');
      // The service lets no site frame its pages.
      for (let turn = 0; !frame.url().startsWith('chrome-error:'); turn += 1) {
        assert.ok(turn < 50, frame.url());
        await page.waitForTimeout(100);
      }
      assert.deepEqual(await heard(), []);
    });
    await shows(page, '#status', 'signed-in');
  }));

  test(`the example of ${name}: a refused consent, and a sign-in that has expired`, () => meet(async (page, context) => {
    await begin(page);
    await signIn(page);
    await page.click('#consent-deny');
    await shows(page, '#said', 'access_denied');
    await shows(page, '#status', 'signed-out');
    let back;
    page.on('request', (request) => {
      if (request.url().startsWith(`${example.home}callback?`)) back = request.url();
    });
    await page.goto(example.home);
    await begin(page);
    await page.click('#consent-allow');
    await shows(page, '#status', 'signed-in');
    // What the browser keeps of a sign-in ends with its tab.
    const late = await context.newPage();
    await late.goto(back);
    await shows(late, '#said', 'state_mismatch');
    assert.equal(late.url(), `${example.home}callback`, 'the code leaves the address');
  }, 'third'));

  test(`the example of ${name}: a code that has ended before it is exchanged, and another sign-in`, () => meet(async (page) => {
    example.isLate = true;
    await begin(page);
    await signIn(page);
    await shows(page, '#said', 'invalid_grant');
    await shows(page, '#status', 'signed-out');
    assert.equal(page.url(), `${example.home}callback`, 'the code leaves the address');
    await begin(page);
    await shows(page, '#person', 'Ada Lovelace');
    assert.equal(page.url(), example.home);
  }));
}

async function accessible(page) {
  const { violations } = await page.evaluate(`${axe.source}; axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'] })`);
  assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target)}`), []);
}

/** The files of the example; client id and organizations are put in when they are asked for. */
async function built(root) {
  const values = { VITE_SVC_ISSUER: dev.issuer, VITE_SVC_CLIENT_ID: '__CLIENT_ID__', VITE_ORGANIZATIONS: '__ORGANIZATIONS__' };
  const define = Object.fromEntries(Object.entries(values).map(([key, value]) => [`import.meta.env.${key}`, JSON.stringify(value)]));
  const { output } = await build({ root, define, logLevel: 'error', build: { write: false, target: 'es2022' } });
  return new Map(output.map((file) => [`/${file.fileName}`, file.code ?? file.source]));
}

export const shows = (page, selector, text) =>
  page.waitForFunction(([selector, text]) => document.querySelector(selector)?.textContent === text, [selector, text]);
