/** Registers an application (RFC 7591) and says what is to be written; writes it after it was shown and allowed. */
import { lookup } from 'node:dns/promises';
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { difference, shown } from './difference.js';
import type { Plan, Project, Settings } from './files/project.js';
import { type Framework, detect } from './frameworks.js';
import { installing } from './installing.js';
import { send } from './loopback.js';
import { InitError, type Send, discover, register } from './registration.js';
import { FILES, isSet, settings } from './settings.js';

export { FRAMEWORKS, detect } from './frameworks.js';
export { InitError } from './registration.js';

export interface Wish {
  folder: string;
  issuer?: string | undefined;
  tenant?: string | undefined;
  /** The initial access token of the administrator. */
  registrationToken?: string | undefined;
  /** The origin of the application; by default that of the framework's development server. */
  origin?: string | undefined;
  /** Says yes or no to what will be written. */
  agree(change: string): Promise<boolean>;
  say(line: string): void;
  environment?: Record<string, string | undefined>;
  fetch?: Send;
}

/** What happened. */
export type Outcome = 'written' | 'already' | 'declined';

interface Manifest {
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  main?: string;
  packageManager?: unknown;
  type?: string;
}

export async function init(wish: Wish): Promise<Outcome> {
  const { folder, say, environment = {}, fetch = send } = wish;
  const kept = await Promise.all(FILES.map((name) => read(join(folder, name))));
  if (isSet(environment, kept)) {
    say('SVC_CLIENT_ID is set: nothing to do.');
    return 'already';
  }
  const { manifest, framework } = await frameworkIn(folder);
  if (!wish.issuer) throw new InitError('--issuer is missing: https://id.example');
  const home = wish.origin ? originOf(wish.origin, framework) : framework.origin;
  const redirectUri = `${home}${framework.callback}`;
  const service = await discover(wish.issuer, wish.tenant, fetch);
  const { issuer } = service;
  say(`${framework.name} with ${framework.needs}`);

  // INVARIANT: nothing is registered before the person has seen what will be written.
  const project = await projectIn(folder, manifest);
  const unknown = { issuer, redirectUri, clientId: '<assigned at registration>' };
  const shownPlan = await planned(framework, project, unknown, say);
  const names = settings(framework, { ...unknown, secret: '<assigned at registration>' });
  if (!(await wish.agree(`${await change(project, shownPlan, names)}\nregister at ${issuer} with the redirect URI ${redirectUri}`))) return 'declined';

  const { client_id: clientId, client_secret: secret } = await register(service, { framework, redirectUri, home, registrationToken: wish.registrationToken }, fetch);
  const plan = await planned(framework, project, { issuer, redirectUri, clientId }, () => {});
  await write(folder, plan, settings(framework, { issuer, redirectUri, clientId, secret }), kept.at(-1)).catch((reason: { code?: string }) => {
    throw new InitError(`registered as ${clientId}, but the files cannot be written: ${reason.code ?? 'something went wrong'}. Delete that application before you try again`);
  });
  if (!(await isIgnored(folder))) say('Add .env.local to .gitignore.');
  say([`Registered as ${clientId}. Next:`, `${await installing(folder, manifest.packageManager)} ${framework.needs}`, ...plan.left, ...(await leftOfNames(issuer, framework))].join('\n- '));
  return 'written';
}

async function frameworkIn(folder: string): Promise<{ manifest: Manifest; framework: Framework }> {
  const text = await read(join(folder, 'package.json'));
  if (text === undefined) throw new InitError('there is no package.json here');
  let manifest: Manifest;
  try {
    manifest = JSON.parse(text.replace(/^\uFEFF/, '')) as Manifest;
  } catch {
    throw new InitError('package.json is no JSON');
  }
  const framework = detect(manifest);
  if (!framework) throw new InitError('package.json names no framework that is known: see docs/packages.md');
  return { manifest, framework };
}

/** The plan of a framework, without files that are there already. */
async function planned(framework: Framework, project: Project, settings: Settings, say: (line: string) => void): Promise<Plan> {
  const plan = await framework.plan(project, settings);
  for (const [name, text] of Object.entries(plan.files)) {
    const found = await project.read(name);
    if (found === undefined) continue;
    delete plan.files[name];
    if (text.includes('@svc/') && !found.includes('@svc/')) plan.left.push(`${name} is yours and has nothing of svc: add what the others import from it (docs/packages.md)`);
    say(`${name} is there already and stays as it is.`);
  }
  return plan;
}

async function projectIn(folder: string, { dependencies, devDependencies, main, type }: Manifest): Promise<Project> {
  return {
    dependencies: { ...devDependencies, ...dependencies },
    isTyped: (await read(join(folder, 'tsconfig.json'))) !== undefined,
    main: (main ?? 'index.js').replace(/^\.\//, ''),
    isModule: type === 'module',
    // Ends of lines are put back when it is written.
    read: async (path) => (await read(join(folder, path)))?.replaceAll('\r\n', '\n'),
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
  const before = kept && !kept.endsWith('\n') ? `${kept}\n` : kept;
  await writeFile(join(folder, '.env.local'), endedAs(kept, `${before ?? ''}${environment}`), { mode: 0o600 });
  await chmod(join(folder, '.env.local'), 0o600);
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text, { flag: 'wx' });
  }
  for (const [name, text] of Object.entries(changed)) await writeFile(join(folder, name), endedAs(await read(join(folder, name)), text));
}

/** A text with the ends of lines that the file has. */
function endedAs(before: string | undefined, text: string): string {
  return before?.includes('\r\n') ? text.replace(/\r?\n/g, '\r\n') : text;
}

/** Whether Git ignores `.env.local`, by the project's `.gitignore` or one above it in the same repository. */
async function isIgnored(folder: string): Promise<boolean> {
  const isThere = (path: string): Promise<boolean> => stat(path).then(() => true, () => false);
  for (let at = resolve(folder), isOwn = true; ; at = dirname(at), isOwn = false) {
    const place = isOwn ? '(?:\\*\\*/|/)?' : '(?:\\*\\*/)?';
    const pattern = new RegExp(`^${place}(?:\\.env\\*?\\.local|\\.env\\*|\\.env\\.\\*|\\*\\.local)\\s*$`, 'm');
    if (pattern.test((await read(join(at, '.gitignore'))) ?? '')) return true;
    if ((await isThere(join(at, '.git'))) || at === dirname(at)) return false;
  }
}

/** Browsers know names below `localhost`; a program asks the system, which may not. */
async function leftOfNames(issuer: string, { name, kind }: Framework): Promise<string[]> {
  const { hostname, port } = new URL(issuer);
  if (name === 'Expo' && /(^|\.)localhost$/.test(hostname)) {
    return [`a phone with Android reaches ${hostname} after: adb reverse tcp:${port || 80} tcp:${port || 80}`];
  }
  if (kind === 'browser' || !hostname.endsWith('.localhost')) return [];
  const isKnown = await lookup(hostname).then(() => true, () => false);
  return isKnown ? [] : [`this system does not know ${hostname}: add the line \`127.0.0.1 ${hostname}\` to its hosts file`];
}

function originOf(origin: string, { name }: Framework): string {
  // The scheme of an application for phones, which only such an application has.
  if (name === 'Expo' && /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/.test(origin)) return origin;
  try {
    const url = new URL(origin);
    if (url.origin !== 'null' && url.href === `${url.origin}/`) return url.origin;
  } catch {
    // Said below.
  }
  throw new InitError(`--origin is no origin: https://shop.example${name === 'Expo' ? ', or a scheme of your own: example.shop:' : ''}`);
}

function read(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined);
}
