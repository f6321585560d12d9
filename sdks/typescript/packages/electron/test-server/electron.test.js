// The main process of an Electron application against the running server; the browser of the system is Chromium.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createElectronAuth } from '@svc/electron';
import { dev, signIn, visit, withBrowser } from '../../../test/chromium.js';

withBrowser();
const { client_id } = dev.clients.find(({ handle }) => handle === 'native');
const required = createRequire(import.meta.url)('@svc/electron');

for (const [kind, create] of [['ESM', createElectronAuth], ['CommonJS', required.createElectronAuth]]) {
  test(`a person signs in by the browser of the system, ${kind}`, () => visit(async (page) => {
    const folder = await mkdtemp(join(tmpdir(), 'svc-electron-'));
    const auth = create({
      electron: {
        shell: { openExternal: async (url) => void page.goto(url).then(() => signIn(page)) },
        safeStorage: { isEncryptionAvailable: () => true, encryptString: (text) => Buffer.from(text), decryptString: String },
        ipcMain: { handle() {}, removeHandler() {} },
      },
      baseURL: dev.issuer,
      oauth: { clientId: client_id },
      file: join(folder, 'session'),
      trusted: [],
      dpop: kind === 'ESM',
    });
    try {
      await auth.login();
      assert.equal(auth.client.getSnapshot().user.name, 'Ada Lovelace');
      await page.getByText('go back to the application').waitFor();
      const first = await auth.client.getAccessToken();
      assert.notEqual(await auth.client.getAccessToken({ force: true }), first);
      const narrow = JSON.parse(Buffer.from((await auth.client.getAccessToken({ scopes: ['openid'] })).split('.')[1], 'base64url'));
      assert.equal(narrow.scope, 'openid');
      const info = await auth.client.fetch(`${dev.issuer}/userinfo`);
      assert.equal((await info.json()).sub, auth.client.getSnapshot().user.sub);
      await auth.client.logout();
      assert.equal(auth.client.getSnapshot().status, 'signed-out');
    } finally {
      auth.dispose();
      await rm(folder, { recursive: true });
    }
  }));
}
