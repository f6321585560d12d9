// The client that phones get, with stand-ins for the modules of Expo, against the running server (SVC_DEV): the browser session of the
// system is Chromium, the secure store and the random numbers are Node's.
import assert from 'node:assert/strict';
import { createHash, webcrypto } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { dev, signIn, visit, withBrowser } from '../../../test/chromium.js';
import { application, endSessions, person } from '../../../test/service.js';

const REDIRECT = 'example.app:/callback';
withBrowser();

test('Expo on a phone: sign-in, renewal, a restart, another organization, a refused consent, a closed browser, the answer of another sign-in, the end of the session elsewhere', () => visit(async (page) => {
  const { client_id } = await application({
    name: 'The example of Expo', type: 'native', token_endpoint_auth_method: 'none', scope: 'openid profile email offline_access', redirect_uris: [REDIRECT],
  });
  Object.assign(process.env, { EXPO_PUBLIC_SVC_ISSUER: dev.issuer, EXPO_PUBLIC_SVC_CLIENT_ID: client_id });
  const kept = new Map();
  let browse;
  globalThis.expo = {
    'expo-web-browser': { openAuthSessionAsync: (url) => browse(url) },
    'expo-secure-store': {
      getItemAsync: async (key) => kept.get(key) ?? null, setItemAsync: async (key, value) => void kept.set(key, value), deleteItemAsync: async (key) => void kept.delete(key),
    },
    'expo-crypto': {
      getRandomValues: (array) => webcrypto.getRandomValues(array),
      digest: async (_, data) => new Uint8Array(createHash('sha256').update(data).digest()).buffer,
    },
  };
  const grace = await person(['Initech', 'Hooli']);
  // The system takes an address of the application's scheme before the browser could open it.
  let taken;
  await page.route(`${dev.issuer}/**`, async (route) => {
    if (!route.request().isNavigationRequest()) return route.continue();
    const response = await route.fetch({ maxRedirects: 0 });
    if (!response.headers().location?.startsWith(REDIRECT)) return route.fulfill({ response });
    await route.fulfill({ body: 'back in the application' });
    return taken(response.headers().location);
  });
  const decide = (decision) => (browse = async (url) => {
    const back = new Promise((resolve) => (taken = resolve));
    await page.goto(url);
    if (await page.isVisible('#login-submit')) await signIn(page, grace);
    await page.click(`#consent-${decision}`);
    return { type: 'success', url: await back };
  });

  const { client } = await fresh('first');
  decide('deny');
  await assert.rejects(client.login(), { code: 'access_denied' });
  browse = async () => ({ type: 'dismiss' });
  await assert.rejects(client.login(), { code: 'cancelled' });
  browse = async () => ({ type: 'success', url: `${REDIRECT}?${new URLSearchParams({ code: 'made-up', state: 'made-up', iss: dev.issuer })}` });
  await assert.rejects(client.login(), { code: 'state_mismatch' });
  decide('allow');
  await client.login();
  assert.equal(client.getSnapshot().user.name, 'Grace Hopper');
  const first = await client.getAccessToken();
  assert.notEqual(await client.getAccessToken({ force: true }), first);

  const { client: again } = await fresh('second');
  assert.equal((await again.ready()).user.name, 'Grace Hopper', 'the session is in the secure store');
  for (const slug of grace.organizations) {
    await again.switchOrganization(slug);
    assert.equal(again.getSnapshot().organization.slug, slug);
  }
  await endSessions(grace);
  await assert.rejects(again.getAccessToken({ force: true }), { code: 'session_ended' });
  assert.equal(again.getSnapshot().status, 'signed-out');
  assert.equal(kept.size, 0);
}));

/** The module of the example as an application has it that has just been started. */
async function fresh(turn) {
  const outfile = join(await mkdtemp(join(tmpdir(), 'svc-expo-')), `${turn}.mjs`);
  await build({
    entryPoints: [fileURLToPath(new URL('../auth.js', import.meta.url))], bundle: true, format: 'esm', outfile,
    nodePaths: [fileURLToPath(new URL('../../../node_modules', import.meta.url))],
    plugins: [{
      name: 'expo',
      setup({ onResolve, onLoad }) {
        onResolve({ filter: /^expo-/ }, ({ path }) => ({ path, namespace: 'expo' }));
        onLoad({ filter: /.*/, namespace: 'expo' }, ({ path }) => ({ contents: `module.exports = globalThis.expo['${path}'];` }));
      },
    }],
  });
  try {
    return await import(pathToFileURL(outfile));
  } finally {
    await rm(dirname(outfile), { recursive: true });
  }
}
