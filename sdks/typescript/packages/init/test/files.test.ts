// What is written for each framework, and what of theirs is changed.
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { difference } from '../src/difference.js';
import { init } from '../src/index.js';

let folder: string;
let shown: string[];
let said: string[];
let sent: Record<string, unknown>[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-init-'));
  [shown, said, sent] = [[], [], []];
});
afterEach(() => rm(folder, { recursive: true }));

async function run(files: Record<string, string>, dependencies: object, answer = true, manifest: object = {}) {
  for (const [name, text] of Object.entries({ ...files, 'package.json': JSON.stringify({ dependencies, ...manifest }) })) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return init({
    folder, issuer: 'https://id.example', agree: async (change) => (shown.push(change), answer), say: (line) => said.push(line),
    fetch: async (url, { body }) => {
      if (!body) return Response.json({ issuer: 'https://id.example', registration_endpoint: `${new URL(url).origin}/oauth/register` });
      sent.push(JSON.parse(String(body)));
      return Response.json({ client_id: 'app_1', client_secret: 'svc_cs_1' }, { status: 201 });
    },
  });
}
const text = (name: string) => readFile(join(folder, name), 'utf8');

test('Next.js 16 gets handlers, a route and a proxy, and hears of sign-outs', async () => {
  await run({ 'tsconfig.json': '{}', 'src/app/page.tsx': '' }, { next: '^16.0.0', react: '19' });
  expect(await text('src/auth.ts')).toContain('issuer: process.env.SVC_ISSUER!');
  expect(await text('src/app/auth/[...svc]/route.ts')).toBe("export { GET, POST } from '../../../auth';\n");
  expect(await text('src/proxy.ts')).toContain('export const proxy = createProxy');
  expect(sent[0]).toMatchObject({
    backchannel_logout_uri: 'http://localhost:3000/auth/backchannel-logout', post_logout_redirect_uris: ['http://localhost:3000/'],
  });
});

test('the first page of the App Router shows the way in, unless it runs in the browser', async () => {
  const page = 'export default function Home() {\n  return (\n    <main className={styles.main}>\n      <div>Hello world!</div>\n    </main>\n  );\n}\n';
  await run({ 'tsconfig.json': '{}', 'app/page.tsx': page }, { next: '^16.0.0' });
  expect(await text('app/page.tsx')).toBe(`import { SignIn } from './sign-in';\n${page.replace('      <div>', '      <SignIn />\n      <div>')}`);
  // Where the page is prerendered, what asks for the session is not; and the lint of the template takes no <a> to a page.
  const way = await text('app/sign-in.tsx');
  expect(way).toContain('    <Suspense>\n      <Button />\n    </Suspense>\n');
  expect(way).toMatch(/\/\/ eslint-disable-next-line @next\/next\/no-html-link-for-pages.*\n.*<a href="\/auth\/login\?returnTo=\/">/);
  expect(said.join('\n')).not.toContain('link to the sign-in');
  await rm(join(folder, '.env.local'));
  await run({ 'app/page.tsx': `'use client';\n${page}` }, { next: '^16.0.0' });
  expect(await text('app/page.tsx')).toBe(`'use client';\n${page}`);
  expect(said.join('\n')).toContain('link to the sign-in: <a href="/auth/login?returnTo=/">');
});

test('a project of the Pages Router learns which function has its session', async () => {
  await run({ 'pages/index.js': '' }, { next: '^16.0.0' });
  expect(said.at(-1)).toContain('ask `await pages.auth(context)` for the session');
});

test.each(['middleware.ts', 'proxy.ts'])('a project of Next.js 16 with %s of its own gets no second one', async (name) => {
  const own = 'export function proxy() {}\n';
  await run({ 'tsconfig.json': '{}', 'src/app/page.tsx': '', [`src/${name}`]: own }, { next: '^16.0.0' });
  expect(await text(`src/${name}`)).toBe(own);
  expect(await readdir(join(folder, 'src'))).toEqual(['app', 'auth.ts', name].sort());
  expect(said.at(-1)).toContain(`- src/${name}: call createProxy() of auth in it`);
});

test('the root component of create-vue, whose script is empty, shows the buttons', async () => {
  const root = '<script setup lang="ts"></script>\n\n<template>\n  <h1>You did it!</h1>\n</template>\n';
  const main = "import { createApp } from 'vue'\nimport App from './App.vue'\n\nconst app = createApp(App)\n\napp.use(router)\n\napp.mount('#app')\n";
  await run({ 'tsconfig.json': '{}', 'src/App.vue': root, 'src/main.ts': main }, { vue: '^3.5.0', vite: '^8.0.0' });
  expect(await text('src/App.vue')).toBe(
    '<script setup lang="ts">\nimport SignIn from \'./SignIn.vue\'\n</script>\n\n<template>\n  <SignIn />\n  <h1>You did it!</h1>\n</template>\n');
  expect(await text('src/main.ts')).toContain('const app = createApp(App).use(createSvc(client))\n');
});

test('the component of Vue is TypeScript where the project is, as vue-tsc demands', async () => {
  await run({ 'tsconfig.json': '{}' }, { vue: '^3.5.0', vite: '^8.0.0' });
  expect(await text('src/SignIn.vue')).toMatch(/^<script setup lang="ts">\n/);
  await rm(folder, { recursive: true });
  await run({}, { vue: '^3.5.0', vite: '^8.0.0' });
  expect(await text('src/SignIn.vue')).toMatch(/^<script setup>\n/);
});

test('Next.js 15 gets a middleware, and JavaScript no assertions', async () => {
  await run({}, { next: '~15.5.2' });
  expect(await text('middleware.js')).toContain("runtime: 'nodejs'");
  expect(await text('auth.js')).not.toContain('!');
});

test.each([
  ['15.4.11', undefined, false], ['^15.3.0', '15.5.4', true], ['^15.5.0', '15.4.11', false], ['15', undefined, false], ['^14.2.0', undefined, false],
])('a middleware of Next.js %s, of which %s is installed, is one for Node.js only where Next.js takes that', async (next, installed, isInNode) => {
  await run(installed ? { 'node_modules/next/package.json': JSON.stringify({ name: 'next', version: installed }) } : {}, { next });
  expect((await text('middleware.js')).includes("runtime: 'nodejs'")).toBe(isInNode);
  expect(await text('middleware.js')).toContain('export const middleware = createProxy');
});

test('Next.js 16 that is installed gets a proxy, whatever the range says', async () => {
  await run({ 'node_modules/next/package.json': JSON.stringify({ name: 'next', version: '16.0.1' }) }, { next: '>=15' });
  expect(await text('proxy.js')).not.toContain('runtime');
});

test('the hook of SvelteKit is written, its types and its configuration are changed', async () => {
  const config = "import adapter from '@sveltejs/adapter-auto';\n\nexport default {\n\tkit: {\n\t\tadapter: adapter()\n\t}\n};\n";
  await run({ 'tsconfig.json': '{}', 'svelte.config.js': config, 'src/app.d.ts': 'declare global {\n\tnamespace App {\n\t\t// interface Locals {}\n\t}\n}\n' }, { '@sveltejs/kit': '2', svelte: '5' });
  expect(await text('src/hooks.server.ts')).toContain('createAuthHandlers');
  expect(await text('src/app.d.ts')).toContain("auth: import('@svc/sveltekit').LocalAuth;");
  expect(await text('svelte.config.js')).toContain("csrf: { trustedOrigins: ['*'] },\n\t\tadapter: adapter()");
  expect(shown[0]).toContain("--- svelte.config.js\n  \tkit: {\n+ \t\t// The hook of @svc/sveltekit checks where forms come from.\n+ \t\tcsrf: { trustedOrigins: ['*'] },\n  \t\tadapter: adapter()");
});

test("the configuration of SvelteKit is in Vite's where the template has it there, and the first page shows the way in", async () => {
  const config = 'export default defineConfig({\n\tplugins: [\n\t\tsveltekit({\n\t\t\tadapter: adapter()\n\t\t})\n\t]\n});\n';
  await run({ 'tsconfig.json': '{}', 'vite.config.ts': config, 'src/routes/+page.svelte': '<h1>Welcome</h1>\n' }, { '@sveltejs/kit': '^2.63.0', svelte: '5' });
  expect(await text('vite.config.ts')).toMatch(/\n\t\tsveltekit\(\{\n\t\t\t\/\/ .*\n\t\t\tcsrf: \{ trustedOrigins: \['\*'\] \},\n\t\t\tadapter/);
  expect(await text('src/routes/+page.svelte')).toBe("<script>\n\timport SignIn from '../lib/SignIn.svelte';\n</script>\n\n<SignIn />\n<h1>Welcome</h1>\n");
  expect(await text('src/routes/+layout.server.ts')).toContain('session: locals.auth.session');
  // The lint of the template asks other links for `resolve()`, which knows pages alone.
  expect(await text('src/lib/SignIn.svelte')).toContain('<a rel="external" href="/auth/login?returnTo=/">');
  await rm(join(folder, '.env.local'));
  await run({ 'src/routes/+page.svelte': '<script lang="ts">\n\tlet { data } = $props();\n</script>\n\n<h1>{data.title}</h1>\n', 'src/routes/+layout.server.ts': '// mine' }, { '@sveltejs/kit': '2' });
  expect(await text('src/routes/+layout.server.ts')).toBe('// mine');
  expect(said.join('\n')).toContain('`locals.auth.session` has the session');
  await rm(join(folder, '.env.local'));
  await rm(join(folder, 'src/routes/+layout.server.ts'));
  await run({}, { '@sveltejs/kit': '2' });
  expect(await text('src/routes/+page.svelte')).toBe('<script lang="ts">\n\timport SignIn from \'../lib/SignIn.svelte\';\n\tlet { data } = $props();\n</script>\n\n<SignIn />\n<h1>{data.title}</h1>\n');
});

test('SvelteKit 3 has the settings that are declared', async () => {
  await run({ 'tsconfig.json': '{}' }, { '@sveltejs/kit': '^3.2.0', svelte: '5' });
  const hook = await text('src/hooks.server.ts');
  expect(hook).toMatch(/^import { building } from '\$app\/env';\nimport \* as env from '\$app\/env\/private';\n/);
  const names = [...hook.matchAll(/\benv\.(SVC_\w+)/g)].map(([, name]) => name as string);
  const declared = await text('src/env.ts');
  expect(declared).toContain("schema: (value?: string) => value ?? ''");
  for (const name of new Set(names)) expect(declared).toMatch(new RegExp(`^\\t${name}: setting,?$`, 'm'));
  await rm(folder, { recursive: true });
  await run({ 'src/env.js': '// mine' }, { '@sveltejs/kit': '^3.2.0' });
  expect(await text('src/env.js')).toBe('// mine');
  expect(said.at(-1)).toContain('- src/env.js: declare SVC_ISSUER,');
});

test('a hook that is there stays, and what is left to do is said', async () => {
  await run({ 'src/hooks.server.js': '// mine', 'svelte.config.js': "export default { kit: { csrf: { checkOrigin: true } } };" }, { '@sveltejs/kit': '2' });
  expect(await text('src/hooks.server.js')).toBe('// mine');
  expect(await text('svelte.config.js')).not.toContain('trustedOrigins');
  expect(said.join('\n')).toMatch(/sequence\(\)[^]*kit\.csrf\.trustedOrigins/);
});

test.each([["['*']", false], ["['https://pay.example']", true]])('SvelteKit that trusts %s lets notices of sign-outs in, or what is left to do is said', async (trusted, isLeft) => {
  const config = `export default {\n\tkit: {\n\t\tcsrf: { trustedOrigins: ${trusted} }\n\t}\n};\n`;
  await run({ 'svelte.config.js': config }, { '@sveltejs/kit': '2' });
  expect(await text('svelte.config.js')).toBe(config);
  expect(said.at(-1)?.includes('kit.csrf.trustedOrigins')).toBe(isLeft);
});

test.each(['src/hooks.server.ts', 'src/hooks.server.js', 'src/hooks.server/index.ts'])('SvelteKit goes on checking forms, and no page asks for a session, where a hook of its own is in %s', async (name) => {
  const config = 'export default {\n\tkit: {\n\t\tadapter: adapter()\n\t}\n};\n';
  await run({ 'tsconfig.json': '{}', 'svelte.config.js': config, [name]: '// mine', 'src/routes/+page.svelte': '<h1>Welcome</h1>\n' }, { '@sveltejs/kit': '2' });
  expect(await text('svelte.config.js')).toBe(config);
  expect(await text('src/routes/+page.svelte')).toBe('<h1>Welcome</h1>\n');
  expect((await readdir(join(folder, 'src'))).filter((one) => one.startsWith('hooks'))).toHaveLength(1);
  expect(said.at(-1)).toContain(`- ${name}: put the handle of createAuthHandlers`);
  expect(said.at(-1)).toContain('but not before that handle is in place');
});

test('a middleware that SolidStart is set to run gets no second one, which would not run', async () => {
  const config = "export default defineConfig({ middleware: './src/server/guard.ts' });\n";
  await run({ 'tsconfig.json': '{}', 'app.config.ts': config }, { '@solidjs/start': '1', 'solid-js': '1' });
  expect(await text('app.config.ts')).toBe(config);
  expect(await readdir(join(folder, 'src'))).not.toContain('middleware.ts');
  expect(said.at(-1)).toContain('- ./src/server/guard.ts, which app.config.ts names: call onRequest of src/auth before yours');
  await rm(join(folder, '.env.local'));
  await run({ 'app.config.ts': 'export default defineConfig({});\n', 'src/middleware.js': '// mine' }, { '@solidjs/start': '1', 'solid-js': '1' });
  expect(await text('app.config.ts')).toContain("middleware: 'src/middleware.js'");
  expect(said.at(-1)).toContain('- src/middleware.js: call onRequest of src/auth before yours');
});

test.each([
  ['defineConfig({})', "defineConfig({ middleware: 'src/middleware.js' })"],
  ['defineConfig()', "defineConfig({ middleware: 'src/middleware.js' })"],
  ['defineConfig({ ssr: true })', "defineConfig({ middleware: 'src/middleware.js', ssr: true })"],
])('the configuration of SolidStart, %s, names the middleware', async (before, after) => {
  await run({ 'app.config.js': `export default ${before};\n` }, { '@solidjs/start': '1', 'solid-js': '1' });
  expect(await text('app.config.js')).toBe(`export default ${after};\n`);
  expect(await text('src/routes/auth/[...svc].js')).toContain('export const GET = auth.GET;');
});

test('the first page of SolidStart shows the way in', async () => {
  await run({ 'tsconfig.json': '{}', 'src/routes/index.tsx': 'export default function Home() {\n  return (\n    <main>\n      <h1>Hello</h1>\n    </main>\n  );\n}\n' }, { '@solidjs/start': '1', 'solid-js': '1' });
  expect(await text('src/routes/index.tsx')).toMatch(/^import \{ SignIn \} from '\.\.\/SignIn';\n[^]*<main>\n {6}<SignIn \/>\n/);
  expect(await text('src/SignIn.tsx')).toContain("from './person'");
  expect(await text('src/person.ts')).toMatch(/^'use server';/);
});

test.each<[object, boolean]>([[{ react: '19', vite: '8' }, false], [{ react: '19', 'react-scripts': '5' }, true]])('where Vite does not fill the settings, as with %j, people are told: %s', async (dependencies, isTold) => {
  await run({}, dependencies);
  expect(said.at(-1)?.includes('- src/auth.js has its settings of import.meta.env, which Vite fills')).toBe(isTold);
});

test.each([
  ['next', 'src/auth.ts', { next: '16' }], ['@sveltejs/kit', 'src/hooks.server.ts', { '@sveltejs/kit': '2' }], ['@solidjs/start', 'src/auth.ts', { '@solidjs/start': '1' }],
])('settings that are absent are left to the package for %s to name: nothing that is written fails before', async (_, path, dependencies) => {
  await run({ 'tsconfig.json': '{}', 'src/app/x.ts': '' }, dependencies);
  expect(await text(path)).not.toMatch(/new URL\(|SECRET!\./);
  expect(await text(path)).toContain("SVC_COOKIE_SECRET?.split(' ') ?? []");
});

test.each([
  ['src/auth.ts', { next: '16' }], ['src/hooks.server.ts', { '@sveltejs/kit': '2' }], ['src/auth.ts', { '@solidjs/start': '1' }],
])('%s asks for what access tokens are renewed by, which is registered too', async (path, dependencies) => {
  await run({ 'tsconfig.json': '{}', 'src/app/x.ts': '' }, dependencies);
  const asked = /scopes: \[(.*)\]/.exec(await text(path))?.[1]?.replace(/[',]/g, '');
  expect(asked).toBe('openid profile email offline_access');
  expect(sent[0]?.['scope']).toBe(asked);
});

test('an application of Vite without a framework gets a button', async () => {
  await run({ 'src/main.js': "import './style.css'\n" }, { vite: '8' });
  expect(await text('src/main.js')).toBe("import './sign-in'\nimport './style.css'\n");
  expect(await text('src/sign-in.js')).toContain("import { client } from './auth';");
});

test('an application of Preact or Qwik gets it where it begins', async () => {
  await run({ 'tsconfig.json': '{}', 'src/main.tsx': "import { render } from 'preact'\n" }, { vite: '8', preact: '10' });
  expect(await text('src/main.tsx')).toBe("import './sign-in'\nimport { render } from 'preact'\n");
  expect(await text('src/sign-in.ts')).toContain("import { client } from './auth';");
});

test('a router hears that the address is another one after a sign-in', async () => {
  await run({ 'tsconfig.json': '{}' }, { vite: '8', vue: '3', 'vue-router': '4' });
  expect(await text('src/auth.ts')).toMatch(/client\.handleCallback\(\)[^]*\.then\(\(\) => dispatchEvent\(new PopStateEvent\('popstate'\)\)\);/);
});

test('a root component that is not of the template stays, and what is left to do is said', async () => {
  await run({ 'src/App.jsx': 'export default () => null;\n' }, { react: '19' });
  expect(await text('src/App.jsx')).toBe('export default () => null;\n');
  expect(said.join('\n')).toContain('put <SignIn /> of src/SignIn.jsx where it is to be');
});

test('Electron has its settings in a file beside the main process, whose windows get the preload script', async () => {
  const main = "const { app } = require('electron')\n\napp.whenReady().then(() => {\n  createWindow()\n})\n";
  const page = '<html>\n  <body>\n    <h1>Hello</h1>\n  </body>\n</html>\n';
  await run({ 'src/main.js': main, 'src/index.html': page }, { electron: '^40.0.0' }, true, { main: 'src/main.js' });
  expect(await text('src/auth.cjs')).toMatch(/registerPreloadScript\(\{ type: 'frame'[^]*baseURL: "https:\/\/id\.example",\n {4}oauth: \{ clientId: "app_1" \}/);
  expect(await text('src/main.js')).toBe(`const { createAuth } = require('./auth.cjs')\n${main.replace('  createWindow', '  createAuth()\n  createWindow')}`);
  expect(await text('src/index.html')).toContain('    <script src="./sign-in.js"></script>\n  </body>');
  expect(await text('src/sign-in.js')).toContain('window.svc.login()');
  expect(sent[0]).not.toHaveProperty('backchannel_logout_uri');
  expect(sent[0]).toMatchObject({ application_type: 'native', redirect_uris: ['http://127.0.0.1/callback'] });
});

test('Electron as ESM, before version 35, and with sources that are compiled', async () => {
  await run({ 'main.js': 'app.whenReady().then(async () => {\n})\n' }, { electron: '~34.1.0' }, true, { main: './main.js', type: 'module' });
  expect(await text('auth.mjs')).toMatch(/^import \{ createRequire \}[^]*session\.setPreloads\(\[\.\.\.session\.getPreloads\(\), createRequire/);
  expect(await text('main.js')).toBe("import { createAuth } from './auth.mjs'\napp.whenReady().then(async () => {\n  createAuth()\n})\n");
  expect(said.join('\n')).toContain('window.svc.login()');
  await rm(join(folder, '.env.local'));
  await run({ 'tsconfig.json': '{}' }, { electron: '40' }, true, { main: 'out/main.js' });
  expect(await text('auth.ts')).toContain("trusted: string[] = ['file://']): ElectronAuth {");
  expect(said.join('\n')).toContain('call createAuth() in the main process');
});

test.each([
  ['src/main/index.ts', "process.env['ELECTRON_RENDERER_URL']", 'src/renderer/index.html', 'app.whenReady().then(() => {\n  createWindow()\n})', '  createWindow()\n})'],
  ['src/main.ts', 'MAIN_WINDOW_VITE_DEV_SERVER_URL', 'index.html', "app.on('ready', createWindow);", '  createWindow()\n});'],
  ['electron/main.ts', "process.env['VITE_DEV_SERVER_URL']", 'index.html', 'app.whenReady().then(createWindow)', '  createWindow()\n})'],
])('Electron with a bundler, %s: its source calls it, with the origin of the development server', async (path, variable, page, start, rest) => {
  const main = `if (${variable}) {\n  window.loadURL(${variable})\n}\n${start}\n`;
  const files = { 'tsconfig.json': '{}', [path]: main, [page]: '<html>\n  <body>\n    <div id="root"></div>\n  </body>\n</html>\n' };
  await run(files, { electron: '^40.0.0' }, true, { main: './out/main/index.js' });
  const changed = await text(path);
  expect(changed).toContain(`import { createAuth } from './auth'\nif (`);
  expect(changed).toContain(`  createAuth(${variable} ? [new URL(${variable}).origin] : undefined)\n${rest}\n`);
  expect(await text(join(dirname(path), 'auth.ts'))).toContain("import electron from 'electron';");
  expect(await text(page)).toContain('    <script type="module" src="./sign-in.js"></script>\n  </body>');
  expect(await text(join(dirname(page), 'sign-in.js'))).toContain('window.svc.login()');
  expect(said.join('\n')).not.toMatch(/call createAuth|call window/);
});

test('Expo has its settings in the environment, its scheme in app.json, and a button', async () => {
  const app = "import { View } from 'react-native';\n\nexport default function App() {\n  return (\n    <View style={styles.container}>\n      <Text>Open up App.js</Text>\n    </View>\n  );\n}\n";
  await run({ 'App.js': app, 'app.json': '{\n  "expo": {\n    "slug": "notes",\n    "web": {}\n  }\n}\n' }, { expo: '54' });
  expect(await text('auth.js')).toContain('process.env.EXPO_PUBLIC_SVC_ISSUER,');
  expect(await text('App.js')).toBe(`import { SignIn } from './SignIn';\n${app.replace('      <Text>', '      <SignIn />\n      <Text>')}`);
  expect(await text('app.json')).toBe('{\n  "expo": {\n    "slug": "notes",\n    "scheme": "example.app",\n    "web": {}\n  }\n}\n');
  expect(await text('SignIn.js')).toContain('client.login()');
  await rm(join(folder, '.env.local'));
  expect(said.join('\n')).toMatch(/npx expo run:android/);
  await run({ 'app.json': '{ "expo": { "slug": "notes", "scheme": ["notes"] } }', 'App.js': 'export default null;\n' }, { expo: '54' });
  expect(said.join('\n')).toMatch(/put <SignIn \/>[^]*`scheme` in app\.json has "example\.app"/);
});

test.each([
  ['app/(tabs)/index.tsx', '', '../../SignIn', '    <View style={styles.container}>\n', '      <SignIn />\n', '      <Text>Tab One</Text>\n    </View>\n'],
  ['app/(tabs)/index.tsx', '', '../../SignIn', '    <Scroll\n      image={\n        <Image />\n      }>\n      <Text>Welcome</Text>\n', '      <SignIn />\n', '    </Scroll>\n'],
  ['src/app/index.tsx', 'src/', '../SignIn', '    <ThemedView>\n      <SafeAreaView style={styles.safeArea}>\n', '        <SignIn />\n', '      </SafeAreaView>\n    </ThemedView>\n'],
])('Expo Router, %s: the first page shows a button, the address that ends a sign-in is a page, and the scheme is a second one', async (path, place, from, before, button, rest) => {
  const page = (shown: string) => `export default function Home() {\n  return (\n${before}${shown}${rest}  );\n}\n`;
  const app = '{\n  "expo": {\n    "slug": "notes",\n    "scheme": "notes",\n    "userInterfaceStyle": "automatic"\n  }\n}\n';
  await run({ 'tsconfig.json': '{}', [path]: page(''), 'app.json': app }, { expo: '54', 'expo-router': '6', 'react-native-web': '0.21' });
  expect(await text(path)).toBe(`import { SignIn } from '${from}';\n${page(button)}`);
  expect(await text(`${place}auth.ts`)).toContain('process.env.EXPO_PUBLIC_SVC_ISSUER!');
  expect(await text(`${place}SignIn.tsx`)).toContain("from './auth'");
  expect(await text(`${place}app/callback.tsx`)).toContain('<Redirect href="/" />');
  expect(JSON.parse(await text('app.json')).expo.scheme).toEqual(['notes', 'example.app']);
  expect(said.join('\n')).toContain('of type spa, by auth.web');
  expect(said.join('\n')).not.toMatch(/put <SignIn|`scheme`/);
});

test('an answer of no changes nothing', async () => {
  const config = 'export default { kit: {} };\n';
  expect(await run({ 'svelte.config.js': config }, { '@sveltejs/kit': '2' }, false)).toBe('declined');
  expect(await text('svelte.config.js')).toBe(config);
  expect(sent).toEqual([]);
});

test('a difference shows the lines that go and come, and a line around them', () => {
  expect(difference('a', '1\n2\n3\n4\n5', '1\n2\nthree\n4\n4b\n5')).toBe('--- a\n  2\n+ three\n- 3\n  4\n+ 4b\n  5');
});
