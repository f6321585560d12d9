/** Registers an application (RFC 7591) and says what is to be written; writes it after it was shown and allowed. */
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { difference, shown } from './difference.js';
import type { Plan, Project, Settings } from './files/project.js';
import { type Framework, detect } from './frameworks.js';

export { FRAMEWORKS, detect } from './frameworks.js';

export interface Wish {
  folder: string;
  issuer: string;
  tenant?: string | undefined;
  /** The initial access token of the administrator. */
  registrationToken?: string | undefined;
  /** Where the application is reached; that of the framework's development server where nothing is said. */
  origin?: string | undefined;
  /** Says yes or no to what will be written. */
  agree(change: string): Promise<boolean>;
  say(line: string): void;
  environment?: Record<string, string | undefined>;
  fetch?: typeof fetch;
}

/** What happened. */
export type Outcome = 'written' | 'already' | 'declined';

/** What people are told; without tokens and secrets. */
export class InitError extends Error {}

export async function init(wish: Wish): Promise<Outcome> {
  const { folder, say, environment = {} } = wish;
  const kept = await read(join(folder, '.env.local'));
  if (environment.SVC_CLIENT_ID || /^(?:[A-Z_]*_)?SVC_CLIENT_ID=./m.test(kept ?? '')) {
    say('SVC_CLIENT_ID is set: nothing to do.');
    return 'already';
  }
  const manifest = await read(join(folder, 'package.json'));
  if (manifest === undefined) throw new InitError('there is no package.json here');
  const framework = detect(JSON.parse(manifest));
  if (!framework) throw new InitError('package.json names no framework that is known: see docs/packages.md');
  const issuer = issuerOf(wish);
  const home = wish.origin ? originOf(wish.origin) : framework.origin;
  const redirectUri = `${home}${framework.callback}`;
  say(`${framework.name} with ${framework.needs}`);

  // INVARIANT: nothing is registered before the person has seen what will be written.
  const project = await projectIn(folder, JSON.parse(manifest));
  const unknown = { issuer, redirectUri, clientId: '<assigned at registration>' };
  const shownPlan = await planned(framework, project, unknown, say);
  const names = settings(framework, { ...unknown, secret: '<assigned at registration>' });
  if (!(await wish.agree(`${await change(project, shownPlan, names)}\nregister at ${issuer} with the redirect URI ${redirectUri}`))) return 'declined';

  const registered = await register(wish, framework, issuer, redirectUri, home);
  const plan = await planned(framework, project, { issuer, redirectUri, clientId: registered.client_id }, () => {});
  await write(folder, plan, settings(framework, { issuer, redirectUri, clientId: registered.client_id, secret: registered.client_secret }), kept);
  if (!/(^|\n)(\.env\*?\.local|\.env\*|\*\.local|\.env\.local)/.test((await read(join(folder, '.gitignore'))) ?? '')) {
    say('Add .env.local to .gitignore.');
  }
  say([`Registered as ${registered.client_id}. Next:`, `npm install ${framework.needs}`, ...plan.left].join('\n- '));
  return 'written';
}

/** The plan of a framework, without files that are there already. */
async function planned(framework: Framework, project: Project, settings: Settings, say: (line: string) => void): Promise<Plan> {
  const plan = await framework.plan(project, settings);
  for (const name of Object.keys(plan.files)) {
    if ((await project.read(name)) === undefined) continue;
    delete plan.files[name];
    say(`${name} is there already and stays as it is.`);
  }
  return plan;
}

async function projectIn(folder: string, manifest: { dependencies?: Record<string, string>; devDependencies?: Record<string, string> }): Promise<Project> {
  return {
    dependencies: { ...manifest.devDependencies, ...manifest.dependencies },
    isTyped: (await read(join(folder, 'tsconfig.json'))) !== undefined,
    read: (path) => read(join(folder, path)),
    has: (path) => stat(join(folder, path)).then((found) => found.isDirectory(), () => false),
  };
}

/** What people are shown: new files whole, and of the others the lines that change. */
async function change(project: Project, { files, changed }: Plan, environment: string): Promise<string> {
  const before = await Promise.all(Object.keys(changed).map((name) => project.read(name)));
  return [
    shown('.env.local', environment),
    ...Object.entries(files).map(([name, text]) => shown(name, text)),
    ...Object.entries(changed).map(([name, text], n) => difference(name, before[n] ?? '', text)),
  ].join('\n');
}

async function write(folder: string, { files, changed }: Plan, environment: string, kept: string | undefined): Promise<void> {
  await writeFile(join(folder, '.env.local'), `${kept ? `${kept.trimEnd()}\n` : ''}${environment}`, { mode: 0o600 });
  await chmod(join(folder, '.env.local'), 0o600);
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text, { flag: 'wx' });
  }
  for (const [name, text] of Object.entries(changed)) await writeFile(join(folder, name), text);
}

interface Registered {
  client_id: string;
  client_secret?: string;
}

async function register(wish: Wish, framework: Framework, issuer: string, redirectUri: string, home: string): Promise<Registered> {
  const isPublic = framework.kind !== 'server';
  const send = wish.fetch ?? fetch;
  const response = await send(`${issuer}/oauth/register`, {
    method: 'POST',
    redirect: 'error',
    headers: {
      'content-type': 'application/json',
      ...(wish.registrationToken ? { authorization: `Bearer ${wish.registrationToken}` } : {}),
    },
    body: JSON.stringify({
      client_name: `${framework.name}, registered by svc-init`,
      application_type: framework.kind === 'native' ? 'native' : 'web',
      redirect_uris: [redirectUri],
      ...(framework.kind === 'native' ? {} : { post_logout_redirect_uris: [`${home}/`] }),
      ...(framework.kind === 'server' ? { backchannel_logout_uri: `${redirectUri.replace(/[^/]*$/, '')}backchannel-logout` } : {}),
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: isPublic ? 'none' : 'client_secret_basic',
      scope: 'openid profile email offline_access',
    }),
  }).catch(() => {
    throw new InitError(`${issuer} does not answer`);
  });
  const answer = (await response.json().catch(() => ({}))) as Partial<Registered> & { error?: string };
  if (!response.ok || !answer.client_id) {
    const code = /^[a-z_]{1,64}$/.test(answer.error ?? '') ? answer.error : `HTTP ${response.status}`;
    throw new InitError(`the registration was refused: ${code}, request ${response.headers.get('x-request-id') ?? 'unknown'}`);
  }
  return answer as Registered;
}

function issuerOf({ issuer, tenant }: Wish): string {
  let url: URL;
  try {
    url = new URL(issuer);
  } catch {
    throw new InitError('--issuer is no address');
  }
  const isLocal = /^(localhost|.+\.localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLocal)) throw new InitError('--issuer needs https');
  if (tenant) {
    if (!/^[a-z0-9-]{1,63}$/.test(tenant)) throw new InitError('--tenant is no slug');
    // A tenant is the first label of its host.
    if (!isLocal && !url.hostname.startsWith(`${tenant}.`)) url.hostname = `${tenant}.${url.hostname}`;
  }
  return url.href.replace(/\/$/, '');
}

function originOf(origin: string): string {
  try {
    const url = new URL(origin);
    if (url.origin !== 'null' && url.href === `${url.origin}/`) return url.origin;
  } catch {
    // Said below.
  }
  throw new InitError('--origin is no origin: https://shop.example');
}

function settings({ prefix, kind }: Framework, { issuer, redirectUri, clientId, secret }: { issuer: string; redirectUri: string; clientId: string; secret?: string | undefined }): string {
  const lines = [`${prefix}SVC_ISSUER=${issuer}`, `${prefix}SVC_CLIENT_ID=${clientId}`, `${prefix}SVC_REDIRECT_URI=${redirectUri}`];
  if (kind === 'server') {
    lines.push(`SVC_CLIENT_SECRET=${secret ?? ''}`);
    lines.push(`SVC_COOKIE_SECRET=${clientId.startsWith('<') ? '<made here>' : randomBytes(32).toString('base64url')}`);
  }
  return `${lines.join('\n')}\n`;
}

function read(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined);
}
