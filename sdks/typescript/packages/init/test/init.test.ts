import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { InitError, type Wish, init } from '../src/index.js';

const TOKEN = 'svc_rt_CANARY';
let folder: string;
let sent: { url: string; body: Record<string, unknown>; headers: Headers }[];
let said: string[];
let answer: () => Response;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-init-'));
  sent = [];
  said = [];
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
    fetch: (async (url: string, { body, headers }: RequestInit) => {
      sent.push({ url, body: JSON.parse(String(body)), headers: new Headers(headers) });
      return answer();
    }) as typeof fetch,
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

test('what is there stays', async () => {
  await project({ svelte: '5' });
  await init(wish());
  const kept = await text('src/auth.js');
  await writeFile(join(folder, 'src/auth.js'), `${kept}// mine`);
  await rm(join(folder, '.env.local'));
  await init(wish());
  expect(await text('src/auth.js')).toContain('// mine');
});

test('SVC_CLIENT_ID in the environment is enough', async () => {
  expect(await init(wish({ environment: { SVC_CLIENT_ID: 'app_1' } }))).toBe('already');
  expect(sent).toHaveLength(0);
});

test.each([
  ['--issuer needs https', { issuer: 'http://id.example' }],
  ['--issuer is no address', { issuer: 'id' }],
  ['--tenant is no slug', { tenant: 'evil.example/' }],
  ['--origin is no origin', { origin: 'https://shop.example/path' }],
])('%s', async (message, extra) => {
  await project({ react: '19' });
  await expect(init(wish(extra))).rejects.toThrow(message);
  expect(sent).toHaveLength(0);
});

test('a refusal is told by its code', async () => {
  await project({ react: '19' });
  answer = () => Response.json({ error: 'invalid_token', error_description: TOKEN }, { status: 401, headers: { 'x-request-id': 'req_1' } });
  const error = await init(wish()).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(InitError);
  expect((error as Error).message).toBe('the registration was refused: invalid_token, request req_1');
  expect(await readdir(folder)).toEqual(['package.json']);
});

test('no framework, no file', async () => {
  await expect(init(wish())).rejects.toThrow('no package.json');
  await project({ express: '5' });
  await expect(init(wish())).rejects.toThrow('no framework');
});
