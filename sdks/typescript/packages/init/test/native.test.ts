// Fresh projects of Electron and Expo sign in by what the command wrote, with stand-ins for the modules of Electron and Expo and for the server.
import { createHash, webcrypto } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CANARY, CLIENT, ISSUER, Server } from '../../client/test/server.js';
import { init } from '../src/index.js';

const require = createRequire(import.meta.url);
const real = globalThis.fetch;
let folder: string;
let server: Server;

beforeEach(async () => {
  // Here, so that the packages of this workspace are found.
  folder = await mkdtemp(fileURLToPath(new URL('../.fresh-', import.meta.url)));
  server = new Server();
  vi.stubGlobal('fetch', server.fetch);
});
afterEach(async () => {
  vi.unstubAllGlobals();
  await rm(folder, { recursive: true });
});

async function connected(files: Record<string, string>, manifest: object): Promise<void> {
  for (const [name, text] of Object.entries({ ...files, 'package.json': JSON.stringify(manifest) })) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  await init({
    folder, issuer: ISSUER, agree: async () => true, say: () => {},
    fetch: async (_, { body }) => (body ? Response.json({ client_id: CLIENT }) : Response.json({ issuer: ISSUER, registration_endpoint: `${ISSUER}/oauth/register` })),
  });
}
const text = (name: string) => readFile(join(folder, name), 'utf8');

type Handler = (event: object, value?: unknown) => Promise<unknown>;
/** Electron, as the main process and a preload script have it. */
function electron() {
  const handlers = new Map<string, Handler>();
  const scripts: string[] = [];
  const heard: ((event: object, state: unknown) => void)[] = [];
  const event = { sender: { send: (_: string, state: unknown) => heard.forEach((hear) => hear({}, state)), isDestroyed: () => false, once: () => {} }, senderFrame: { url: 'file:///index.html' } };
  return {
    scripts,
    window: {} as Record<string, unknown>,
    get contextBridge() {
      return { exposeInMainWorld: (name: string, api: unknown) => void (this.window[name] = api) };
    },
    ipcRenderer: {
      invoke: (channel: string, value: unknown) => handlers.get(channel)?.(event, value),
      on: (_: string, listener: (event: object, state: unknown) => void) => void heard.push(listener),
    },
    app: { whenReady: async () => {}, getPath: () => folder },
    session: { defaultSession: { registerPreloadScript: ({ filePath }: { filePath: string }) => void scripts.push(filePath) } },
    shell: { openExternal: async (url: string) => void real(server.allow(url)) },
    safeStorage: { isEncryptionAvailable: () => true, encryptString: (text: string) => Buffer.from(text), decryptString: (sealed: Buffer) => sealed.toString() },
    ipcMain: { handle: (channel: string, handler: Handler) => void handlers.set(channel, handler), removeHandler: () => {} },
  };
}

test('Electron: the quick start has a button that signs in and out', async () => {
  const main = "const { app } = require('electron')\n\nglobalThis.started = app.whenReady().then(() => {\n})\n";
  const fake = electron();
  const button = { onclick: async () => {}, textContent: '' };
  vi.stubGlobal('electron', fake);
  vi.stubGlobal('started', undefined);
  await connected({
    'main.js': main,
    'index.html': '<html>\n  <body>\n    <h1>Hello</h1>\n  </body>\n</html>\n',
    'node_modules/electron/index.js': 'module.exports = globalThis.electron;\n',
  }, { main: 'main.js', dependencies: { electron: '^40.0.0' } });

  require(join(folder, 'main.js'));
  await (globalThis as { started?: Promise<void> }).started;
  const run = (script: string, values: Record<string, unknown>) => new Function(...Object.keys(values), script)(...Object.values(values));
  run(await readFile(fake.scripts[0] as string, 'utf8'), { require: () => fake, module: { exports: {} }, exports: {} });
  run(await text('sign-in.js'), { window: fake.window, document: { createElement: () => button, body: { prepend: () => {} } } });
  await expect.poll(() => button.textContent, { timeout: 30_000 }).toBe('Sign in');
  await button.onclick();
  expect(button.textContent).toBe('Sign out Ada');
  expect(server.sent.find(({ url }) => url.endsWith('/oauth/token'))?.body.get('client_id')).toBe(CLIENT);
  await button.onclick();
  expect(button.textContent).toBe('Sign in');
});

test('Expo: the module that is written signs in, and keeps the session', async () => {
  await connected({ 'app.json': '{\n  "expo": {\n    "slug": "notes",\n    "web": {}\n  }\n}\n' }, { dependencies: { expo: '54' } });
  const kept = new Map<string, string>();
  const asked: unknown[] = [];
  vi.stubGlobal('expo', {
    'expo-web-browser': { openAuthSessionAsync: async (url: string, back: string) => (asked.push(back), { type: 'success', url: server.allow(url) }) },
    'expo-secure-store': { getItemAsync: async (key: string) => kept.get(key) ?? null, setItemAsync: async (key: string, value: string) => void kept.set(key, value), deleteItemAsync: async (key: string) => void kept.delete(key) },
    'expo-crypto': { getRandomValues: (array: Uint8Array) => webcrypto.getRandomValues(array), digest: async (_: never, data: Uint8Array) => new Uint8Array(createHash('sha256').update(data).digest()).buffer },
  });
  // As Metro does, which puts what .env.local has into scripts.
  for (const line of (await text('.env.local')).trim().split('\n')) vi.stubEnv(line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1));
  await build({
    entryPoints: [join(folder, 'auth.js')], bundle: true, format: 'cjs', platform: 'node', outfile: join(folder, 'out.cjs'), logLevel: 'error',
    plugins: [{
      name: 'expo',
      setup({ onResolve, onLoad }) {
        onResolve({ filter: /^expo-/ }, ({ path }) => ({ path, namespace: 'expo' }));
        onLoad({ filter: /.*/, namespace: 'expo' }, ({ path }) => ({ contents: `module.exports = globalThis.expo['${path}'];` }));
      },
    }],
  });
  const { client } = require(join(folder, 'out.cjs'));
  await client.login();
  expect(client.getSnapshot()).toMatchObject({ status: 'signed-in', user: { name: 'Ada' } });
  expect(asked).toEqual(['example.app:/callback']);
  expect([...kept.values()].join('')).toContain(CANARY);
  await client.logout();
  expect(kept.size).toBe(0);
  vi.unstubAllEnvs();
});
