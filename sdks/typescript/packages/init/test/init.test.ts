import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { InitError, type Wish, init } from '../src/index.js';
import { OPTIONS, USAGE } from '../src/usage.js';

const TOKEN = 'svc_rt_CANARY';
let folder: string;
let sent: { url: string; body: Record<string, unknown>; headers: Headers }[];
let said: string[];
let answer: () => Response;
/** What discovery says of the host that is asked. */
let discovery: (host: string) => Response;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-init-'));
  sent = [];
  said = [];
  discovery = (host) => {
    const issuer = `${host.endsWith(':8080') ? 'http' : 'https'}://${host}`;
    return Response.json({ issuer, registration_endpoint: `${issuer}/oauth/register` });
  };
  answer = () => Response.json({ client_id: 'app_1', client_secret: 'svc_cs_1' }, { status: 201 });
});
afterEach(() => rm(folder, { recursive: true }));

function wish(extra: Partial<Wish> = {}): Wish {
  return {
    folder,
    issuer: 'https://id.example/',
    registrationToken: TOKEN,
    agree: async (change) => (said.push(change), true),
    say: (line) => said.push(line),
    fetch: async (url, { body, headers }) => {
      if (!body) return discovery(new URL(url).host);
      sent.push({ url, body: JSON.parse(String(body)), headers: new Headers(headers) });
      return answer();
    },
    ...extra,
  };
}

const project = (dependencies: object) => writeFile(join(folder, 'package.json'), JSON.stringify({ dependencies }));
const text = (name: string) => readFile(join(folder, name), 'utf8');

test('a React application is registered as a public one, with the least files', async () => {
  await project({ react: '19', vite: '8' });
  await writeFile(join(folder, 'tsconfig.json'), '{}');
  await writeFile(join(folder, '.env.local'), 'OTHER=1');
  expect(await init(wish({ tenant: 'acme', origin: 'https://shop.example' }))).toBe('written');
  expect(sent[0]).toMatchObject({
    url: 'https://acme.id.example/oauth/register',
    body: { redirect_uris: ['https://shop.example/callback'], post_logout_redirect_uris: ['https://shop.example/'], token_endpoint_auth_method: 'none' },
  });
  expect(sent[0]?.headers.get('authorization')).toBe(`Bearer ${TOKEN}`);
  expect(await text('.env.local')).toBe('OTHER=1\nVITE_SVC_ISSUER=https://acme.id.example\nVITE_SVC_CLIENT_ID=app_1\nVITE_SVC_REDIRECT_URI=https://shop.example/callback\n');
  expect((await stat(join(folder, '.env.local'))).mode & 0o777).toBe(0o600);
  expect(await text('src/auth.ts')).toContain("from '@svc/client'");
  expect(said.join()).not.toContain(TOKEN);
  expect(await init(wish())).toBe('already');
  expect(sent).toHaveLength(1);
});

test('an application with a server gets a secret, which nothing says', async () => {
  await project({ react: '19', next: '16' });
  await init(wish());
  expect(sent[0]?.body).toMatchObject({ redirect_uris: ['http://localhost:3000/auth/callback'], token_endpoint_auth_method: 'client_secret_basic' });
  expect(await text('.env.local')).toMatch(/SVC_CLIENT_SECRET=svc_cs_1\nSVC_COOKIE_SECRET=[\w-]{43}\n$/);
  expect(said.join()).not.toContain('svc_cs_1');
});

test('who declines gets nothing, and nothing is registered', async () => {
  await project({ vue: '3' });
  expect(await init(wish({ agree: async () => false }))).toBe('declined');
  expect(sent).toHaveLength(0);
  expect(await readdir(folder)).toEqual(['package.json']);
});

test.each<[string, object, string[]]>([
  ['npm install', {}, []],
  ['npm install', {}, ['package-lock.json']],
  ['pnpm add', {}, ['pnpm-lock.yaml']],
  ['yarn add', {}, ['yarn.lock']],
  ['bun add', {}, ['bun.lock']],
  ['bun add', {}, ['bun.lockb']],
  ['pnpm add', {}, ['../../pnpm-lock.yaml']],
  ['npm install', {}, ['package-lock.json', '../../pnpm-lock.yaml']],
  ['npm install', {}, ['../.git', '../../pnpm-lock.yaml']],
  ['yarn add', { packageManager: 'yarn@4.9.1+sha224.0' }, ['package-lock.json']],
])('people are told to %s where the manifest has %j and there is %j', async (command, manifest, files) => {
  const inner = join(folder, 'apps/shop');
  await mkdir(inner, { recursive: true });
  await writeFile(join(inner, 'package.json'), JSON.stringify({ dependencies: { vue: '3' }, ...manifest }));
  // What lies above the folder of this test is no part of it.
  await mkdir(join(folder, '.git'));
  for (const name of files) await writeFile(join(inner, name), '');
  expect(await init(wish({ folder: inner }))).toBe('written');
  expect(said.at(-1)).toContain(`\n- ${command} @svc/vue @svc/client\n`);
});

test('what is there stays', async () => {
  await project({ svelte: '5' });
  await init(wish());
  const kept = await text('src/auth.js');
  await writeFile(join(folder, 'src/auth.js'), `${kept}// mine`);
  await rm(join(folder, '.env.local'));
  await init(wish());
  expect(await text('src/auth.js')).toContain('// mine');
});

test.each([
  ['the environment', { environment: { SVC_CLIENT_ID: 'app_1' } }, {}],
  ['the environment, with a prefix', { environment: { VITE_SVC_CLIENT_ID: 'app_1' } }, {}],
  ['.env', {}, { '.env': 'A=1\nSVC_CLIENT_ID="app_1"\n' }],
  ['.env.local', {}, { '.env.local': 'EXPO_PUBLIC_SVC_CLIENT_ID=app_1\n' }],
  ['.env.development.local', {}, { '.env.development.local': 'VITE_SVC_CLIENT_ID=app_1\r\n' }],
  ['.env, with spaces', {}, { '.env': '  export  SVC_CLIENT_ID = app_1\n' }],
  ['.env, after a mark of its encoding', {}, { '.env': '\uFEFFSVC_CLIENT_ID=app_1\n' }],
])('SVC_CLIENT_ID in %s is enough', async (_, extra, files) => {
  await project({ vue: '3' });
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const before = await readdir(folder);
  discovery = () => expect.unreachable('no one is asked');
  expect(await init(wish({ ...extra, issuer: undefined }))).toBe('already');
  expect(sent).toHaveLength(0);
  expect(await readdir(folder)).toEqual(before);
});

test('a setting that is empty is none', async () => {
  await project({ vue: '3' });
  await writeFile(join(folder, '.env'), 'SVC_CLIENT_ID=\nA_SVC_CLIENT_ID= # later\n#SVC_CLIENT_ID=app_1\n');
  expect(await init(wish({ environment: { SVC_CLIENT_ID: '' } }))).toBe('written');
});

test.each([
  ['https://id.example', 'acme', 'https://acme.id.example'],
  ['https://acme.example', 'acme', 'https://acme.acme.example'],
  ['http://localhost:8080', 'acme', 'http://acme.localhost:8080'],
])('the tenant of %s, %s, is at %s', async (issuer, tenant, address) => {
  await project({ vue: '3' });
  expect(await init(wish({ issuer, tenant }))).toBe('written');
  expect(await text('.env.local')).toContain(`VITE_SVC_ISSUER=${address}\n`);
  expect(sent[0]?.url).toBe(`${address}/oauth/register`);
});

test("an issuer that is the tenant's own already is taken as it is, where nothing answers below it", async () => {
  await project({ vue: '3' });
  const asked: string[] = [];
  const known = discovery;
  discovery = (host) => {
    asked.push(host);
    if (host === 'acme.acme.id.example') throw new TypeError('fetch failed');
    return known(host);
  };
  expect(await init(wish({ issuer: 'https://acme.id.example', tenant: 'acme' }))).toBe('written');
  expect(asked).toEqual(['acme.acme.id.example', 'acme.id.example']);
  expect(sent[0]?.url).toBe('https://acme.id.example/oauth/register');
});

test('an issuer that names another tenant is not taken where nothing answers below it', async () => {
  await project({ vue: '3' });
  discovery = () => { throw new TypeError('fetch failed'); };
  await expect(init(wish({ issuer: 'https://id.example', tenant: 'acme' }))).rejects.toThrow('https://acme.id.example does not answer');
  expect(sent).toHaveLength(0);
});

test('names below localhost are this machine, whatever its resolver knows', async () => {
  const asked: unknown[] = [];
  const server = createServer((request, response) => {
    const issuer = `http://${request.headers.host}`;
    asked.push([request.method, request.headers.host, request.headers.authorization]);
    response.end(JSON.stringify(request.method === 'GET' ? { issuer, registration_endpoint: `${issuer}/oauth/register` } : { client_id: 'app_1' }));
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  const host = `acme.localhost:${(server.address() as AddressInfo).port}`;
  try {
    await project({ electron: '40' });
    const { fetch: _, ...real } = wish();
    expect(await init({ ...real, issuer: `http://${host}` })).toBe('written');
  } finally {
    server.close();
    server.closeAllConnections();
  }
  expect(asked).toEqual([['GET', host, undefined], ['POST', host, `Bearer ${TOKEN}`]]);
});

test.each([
  ['mistyped', 'a service without server.base_domain answers at every label'],
  ['main', 'the default tenant answers at its own label too'],
  ['id', 'the host of the service begins with the label'],
])('--tenant %s is refused where the default tenant answers: %s', async (tenant) => {
  await project({ vue: '3' });
  discovery = () => Response.json({ issuer: 'https://id.example', registration_endpoint: 'https://id.example/oauth/register' });
  await expect(init(wish({ tenant }))).rejects.toThrow(
    `--tenant ${tenant} needs a tenant with the issuer https://${tenant}.id.example, and the default tenant with https://id.example was found there. Check the name, or leave --tenant out to register at https://id.example`);
  expect(sent).toHaveLength(0);
  expect(await readdir(folder)).toEqual(['package.json']);
});

const named = (issuer: string, endpoint?: string) => () => Response.json({ issuer, registration_endpoint: endpoint });
test.each<[string, () => Response, Partial<Wish>]>([
  ['no tenant answers at https://nobody.id.example: check --issuer and --tenant', () => Response.json({}, { status: 404 }), { tenant: 'nobody' }],
  [
    "no tenant answers at https://acme.acme.id.example: check --issuer and --tenant. Where https://acme.id.example is the tenant's own address, leave --tenant out",
    () => Response.json({}, { status: 404 }), { issuer: 'https://acme.id.example', tenant: 'acme' },
  ],
  [
    'https://acme.id.example does not answer',
    () => { throw new TypeError('fetch failed'); }, { issuer: 'https://acme.id.example', tenant: 'acme' },
  ],
  ['the issuer at https://id.example is https://login.acme.example: pass that as --issuer', named('https://login.acme.example'), {}],
  ['the issuer at https://acme.id.example is https://login.acme.example: pass that as --issuer, without --tenant', named('https://login.acme.example'), { tenant: 'acme' }],
  ['the issuer at https://acme.acme.id.example is https://id.example: pass that as --issuer, without --tenant', named('https://id.example'), { issuer: 'https://acme.id.example', tenant: 'acme' }],
  ['the issuer at https://id.example is another one', named('https://e.example/\u001b[2J'), {}],
  ['https://id.example registers no applications', named('https://id.example'), {}],
  ['the registration endpoint of https://id.example is at another origin', named('https://id.example', 'https://evil.example/register'), {}],
  ['https://id.example answers, but not with a discovery document (HTTP 200)', () => new Response('<html>'), {}],
  ['https://id.example does not answer', () => { throw new TypeError('fetch failed'); }, {}],
])('%s', async (message, says, extra) => {
  await project({ vue: '3' });
  discovery = says;
  await expect(init(wish(extra))).rejects.toThrow(message);
  expect(sent).toHaveLength(0);
  expect(await readdir(folder)).toEqual(['package.json']);
});

test('an application for phones comes back to a scheme of its own', async () => {
  await project({ expo: '54' });
  await init(wish({ origin: 'com.shop.app:' }));
  expect(sent[0]?.body).toMatchObject({ application_type: 'native', redirect_uris: ['com.shop.app:/callback'] });
  expect(await text('.env.local')).toContain('EXPO_PUBLIC_SVC_REDIRECT_URI=com.shop.app:/callback\n');
});

test('the command says how a phone reaches a service on this machine', async () => {
  await project({ expo: '54' });
  await init(wish({ issuer: 'http://localhost:8080' }));
  expect(said.join('\n')).toContain('adb reverse tcp:8080 tcp:8080');
});

test.each([
  ['--issuer needs https', { issuer: 'http://id.example' }],
  ['--issuer is no address', { issuer: 'id' }],
  ['--tenant is no slug', { tenant: 'evil.example/' }],
  ['--tenant needs the name of a host', { issuer: 'http://127.0.0.1:8080', tenant: 'acme' }],
  ['--origin is no origin', { origin: 'https://shop.example/path' }],
  ['--origin is no origin', { origin: 'com.shop.app:' }],
  ['--issuer is missing', { issuer: undefined }],
])('%s', async (message, extra) => {
  await project({ react: '19' });
  await expect(init(wish(extra))).rejects.toThrow(message);
  expect(sent).toHaveLength(0);
});

test('a refusal is told by its code', async () => {
  await project({ react: '19' });
  discovery = (host) => {
    const issuer = `${host.endsWith(':8080') ? 'http' : 'https'}://${host}`;
    return Response.json({ issuer, registration_endpoint: `${issuer}/oauth/register` });
  };
  answer = () => Response.json({ error: 'invalid_token', error_description: TOKEN }, { status: 401, headers: { 'x-request-id': 'req_1' } });
  const error = await init(wish()).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(InitError);
  expect((error as Error).message).toBe('the registration at https://id.example was refused: invalid_token, request req_1. The initial access token is unknown, expired or used up: ask the administrator for another');
  expect(await readdir(folder)).toEqual(['package.json']);
  await expect(init(wish({ registrationToken: undefined }))).rejects.toThrow('--registration-token or SVC_DCR_INITIAL_ACCESS_TOKEN');
  expect(sent[1]?.headers.has('authorization')).toBe(false);
});

test('files keep their ends of lines', async () => {
  const crlf = (text: string): string => text.replaceAll('\n', '\r\n');
  await writeFile(join(folder, 'package.json'), `\uFEFF${JSON.stringify({ dependencies: { react: '19', vite: '8' } })}`);
  await mkdir(join(folder, 'src'));
  await writeFile(join(folder, 'src/App.jsx'), crlf('export default function App() {\n  return (\n    <>\n      <h1>Notes</h1>\n    </>\n  )\n}\n'));
  await writeFile(join(folder, '.env.local'), crlf('A=1\n\n# mine\nB=2'));
  await init(wish());
  expect(await text('src/App.jsx')).toBe(crlf(
    "import { SignIn } from './SignIn'\nexport default function App() {\n  return (\n    <>\n      <SignIn />\n      <h1>Notes</h1>\n    </>\n  )\n}\n"));
  expect(await text('.env.local')).toBe(crlf(
    'A=1\n\n# mine\nB=2\nVITE_SVC_ISSUER=https://id.example\nVITE_SVC_CLIENT_ID=app_1\nVITE_SVC_REDIRECT_URI=http://localhost:5173/callback\n'));
  expect(said.join('\n')).not.toContain('\r');
});

test.each([
  ['its own folder', 'app/.gitignore', '/.env.local', true],
  ['the folder above, which is of the same repository', '.gitignore', '.env*', true],
  ['the folder above, by a pattern for that folder alone', '.gitignore', '/.env.local', false],
  ['none', '.gitignore', '.env', false],
])('a workspace whose .env.local is ignored by %s', async (_, file, pattern, isIgnored) => {
  await mkdir(join(folder, '.git'));
  await mkdir(join(folder, 'app'));
  await writeFile(join(folder, file), `node_modules\r\n${pattern}\r\n`);
  await writeFile(join(folder, 'app/package.json'), JSON.stringify({ dependencies: { vue: 'catalog:' } }));
  expect(await init(wish({ folder: join(folder, 'app') }))).toBe('written');
  expect(said.includes('Add .env.local to .gitignore.')).toBe(!isIgnored);
});

test('a file of the project that has the name of ours is left to the person', async () => {
  await project({ next: '16' });
  await writeFile(join(folder, 'auth.js'), "import NextAuth from 'next-auth';\n");
  await init(wish());
  expect(await text('auth.js')).toBe("import NextAuth from 'next-auth';\n");
  expect(said.at(-1)).toContain('- auth.js is yours and has nothing of svc');
});

test('who cannot write hears what was registered', async () => {
  await project({ vue: '3' });
  await mkdir(join(folder, '.env.local'));
  await expect(init(wish())).rejects.toThrow('registered as app_1, but the files cannot be written: EISDIR');
  expect((await readdir(folder)).sort()).toEqual(['.env.local', 'package.json']);
});

test('the command takes what it says of itself', () => {
  for (const name of Object.keys(OPTIONS)) expect(USAGE).toContain(`--${name}`);
  const examples = USAGE.split('Examples:\n')[1]?.split('\n') ?? [];
  expect(examples).toHaveLength(4);
  for (const example of examples) {
    const args = example.trim().replace(/^.*?svc-init /, '').split(' ');
    expect(parseArgs({ args, options: OPTIONS }).values.issuer, example).toMatch(/^https?:/);
  }
});

test.each([['nuxt', 'vue'], ['astro', 'react'], ['@react-router/dev', 'react'], ['react-native', 'react']])('a project of %s is not taken for one of %s', async (other, library) => {
  await project({ [other]: '1', [library]: '1' });
  await expect(init(wish())).rejects.toThrow('no framework');
  expect(sent).toHaveLength(0);
});

test('no framework, no file', async () => {
  await expect(init(wish())).rejects.toThrow('no package.json');
  await project({ express: '5' });
  await expect(init(wish())).rejects.toThrow('no framework');
});
