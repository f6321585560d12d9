// What is written for each framework, and what of theirs is changed.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
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

async function run(files: Record<string, string>, dependencies: object, answer = true) {
  for (const [name, text] of Object.entries({ ...files, 'package.json': JSON.stringify({ dependencies }) })) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return init({
    folder, issuer: 'https://id.example', agree: async (change) => (shown.push(change), answer), say: (line) => said.push(line),
    fetch: (async (_: string, { body }: RequestInit) => {
      sent.push(JSON.parse(String(body)));
      return Response.json({ client_id: 'app_1', client_secret: 'svc_cs_1' }, { status: 201 });
    }) as typeof fetch,
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

test('Next.js 15 gets a middleware, and JavaScript no assertions', async () => {
  await run({}, { next: '~15.2.0' });
  expect(await text('middleware.js')).toContain("runtime: 'nodejs'");
  expect(await text('auth.js')).not.toContain('!');
});

test('the hook of SvelteKit is written, its types and its configuration are changed', async () => {
  const config = "import adapter from '@sveltejs/adapter-auto';\n\nexport default {\n\tkit: {\n\t\tadapter: adapter()\n\t}\n};\n";
  await run({ 'tsconfig.json': '{}', 'svelte.config.js': config, 'src/app.d.ts': 'declare global {\n\tnamespace App {\n\t\t// interface Locals {}\n\t}\n}\n' }, { '@sveltejs/kit': '2', svelte: '5' });
  expect(await text('src/hooks.server.ts')).toContain('createAuthHandlers');
  expect(await text('src/app.d.ts')).toContain("auth: import('@svc/sveltekit').LocalAuth;");
  expect(await text('svelte.config.js')).toContain("csrf: { trustedOrigins: ['*'] },\n\t\tadapter: adapter()");
  expect(shown[0]).toContain("--- svelte.config.js\n  \tkit: {\n+ \t\t// The hook of @svc/sveltekit checks where forms come from.\n+ \t\tcsrf: { trustedOrigins: ['*'] },\n  \t\tadapter: adapter()");
});

test('a hook that is there stays, and what is left to do is said', async () => {
  await run({ 'src/hooks.server.js': '// mine', 'svelte.config.js': "export default { kit: { csrf: { checkOrigin: true } } };" }, { '@sveltejs/kit': '2' });
  expect(await text('src/hooks.server.js')).toBe('// mine');
  expect(await text('svelte.config.js')).not.toContain('trustedOrigins');
  expect(said.join('\n')).toMatch(/sequence\(\)[^]*kit\.csrf\.trustedOrigins/);
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

test('a root component that is not of the template stays, and what is left to do is said', async () => {
  await run({ 'src/App.jsx': 'export default () => null;\n' }, { react: '19' });
  expect(await text('src/App.jsx')).toBe('export default () => null;\n');
  expect(said.join('\n')).toContain('put <SignIn /> of src/SignIn.jsx where it is to be');
});

test('Electron has its settings in the file, and Expo in the environment', async () => {
  await run({}, { electron: '40' });
  expect(await text('auth.mjs')).toMatch(/baseURL: "https:\/\/id\.example",\n {4}oauth: \{ clientId: "app_1" \}/);
  expect(sent[0]).not.toHaveProperty('backchannel_logout_uri');
  await rm(join(folder, '.env.local'));
  await run({}, { expo: '54' });
  expect(await text('auth.js')).toContain('process.env.EXPO_PUBLIC_SVC_ISSUER,');
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
