// Electron: the main process's part with its preload script, and a button in the page of the templates (Electron's quick start, Forge, electron-vite).
import { posix } from 'node:path';
import { type Plan, type Project, type Settings, majorOf, replaced } from './project.js';

const { dirname, join } = posix;

const BUTTON = `const button = document.createElement('button');
let isSignedIn = false;

function show({ status, user }) {
  isSignedIn = status === 'signed-in';
  button.textContent = isSignedIn ? \`Sign out \${user?.name ?? ''}\` : 'Sign in';
}

button.onclick = () => (isSignedIn ? window.svc.logout() : window.svc.login()).catch((error) => console.error(error.message));
window.svc.subscribe(show);
window.svc.state().then(show);
document.body.prepend(button);
`;

/** Where the main process begins in projects that are compiled, whose manifest names what they are compiled to. */
const SOURCES = ['src/main/index.ts', 'src/main/index.js', 'src/main.ts', 'src/main.js', 'electron/main.ts', 'electron/main.js'];

/** The script in which the main process begins. */
interface Entry {
  path: string;
  text: string | undefined;
  /** Whether a bundler makes it what Electron runs, from a development server's page too. */
  isBundled: boolean;
  isModule: boolean;
}

export async function electron(project: Project, settings: Settings): Promise<Plan> {
  const entry = await entryOf(project);
  const place = dirname(entry.path);
  const name = entry.isBundled ? 'auth' : `auth.${entry.isModule ? 'mjs' : 'cjs'}`;
  const file = entry.isBundled ? `auth.${project.isTyped ? 'ts' : 'js'}` : name;
  const auth = join(entry.text === undefined ? '.' : place, file);
  const plan: Plan = { files: { [auth]: program(project, settings, entry) }, changed: {}, left: [] };
  const started = entry.text?.includes('createAuth') ? undefined : start(entry.text, `createAuth(${origins(entry)})`);
  if (started) {
    const taken = entry.isModule ? `import { createAuth } from './${name}'` : `const { createAuth } = require('./${name}')`;
    plan.changed[entry.path] = `${taken}\n${started}`;
  } else if (!entry.text?.includes('createAuth')) {
    plan.left.push('call createAuth() in the main process when it is ready, before windows are made');
  }
  await page(project, plan, entry);
  return plan;
}

/** The entry of the manifest, unless that is made from a source; without either, where a source may be. */
async function entryOf(project: Project): Promise<Entry> {
  const text = await project.read(project.main);
  const isBuilt = /^(\.|out\/|dist|build\/)/.test(project.main);
  if (text !== undefined && !isBuilt && !project.isTyped) {
    return { path: project.main, text, isBundled: false, isModule: /\.mjs$/.test(project.main) || (project.isModule && !/\.cjs$/.test(project.main)) };
  }
  for (const path of SOURCES) {
    const source = await project.read(path);
    if (source !== undefined) return { path, text: source, isBundled: true, isModule: true };
  }
  return { path: project.main, text: undefined, isBundled: project.isTyped, isModule: true };
}

/** The main process with a call as soon as it is ready. */
function start(text: string | undefined, call: string): string | undefined {
  return replaced(text, /\bapp\.whenReady\(\)\.then\((?:async )?\(\) => \{\n/, `$&  ${call}\n`)
    ?? replaced(text, /\bapp\.whenReady\(\)\.then\((\w+)\)/, `app.whenReady().then(() => {\n  ${call}\n  $1()\n})`)
    ?? replaced(text, /\bapp\.on\((['"])ready\1, (\w+)\)/, `app.on($1ready$1, () => {\n  ${call}\n  $2()\n})`);
}

/** The development server of a bundler, whose address the templates have in a variable, shows windows of another origin. */
function origins({ text }: Entry): string {
  const variable = /process\.env\[?\.?['"]?(?:ELECTRON_RENDERER_URL|VITE_DEV_SERVER_URL)['"]?\]?|\bMAIN_WINDOW_VITE_DEV_SERVER_URL\b/.exec(text ?? '')?.[0];
  return variable ? `${variable} ? [new URL(${variable}).origin] : undefined` : '';
}

/** The page next to the main process, or where bundlers have it, shows a button. */
async function page(project: Project, plan: Plan, { path, isBundled }: Entry): Promise<void> {
  const pages = [join(dirname(path), 'index.html'), ...(isBundled ? ['src/renderer/index.html', 'index.html'] : [])];
  for (const path of pages) {
    const text = await project.read(path);
    if (text?.includes('sign-in.js')) return;
    // Bundlers take modules alone.
    const kind = isBundled ? ' type="module"' : '';
    const changed = replaced(text, /^([ \t]*)<\/body>/m, `$1  <script${kind} src="./sign-in.js"></script>\n$&`);
    if (!changed) continue;
    plan.files[join(dirname(path), 'sign-in.js')] = BUTTON;
    plan.changed[path] = changed;
    return;
  }
  plan.left.push('call window.svc.login() from a button of the page (docs/packages/electron.md)');
}

/** An application that people install has no environment: its settings, which are no secrets, are in the file. */
function program({ dependencies, isTyped }: Project, { issuer, clientId }: Settings, { isModule }: Entry): string {
  const preload = isModule ? "createRequire(import.meta.url).resolve('@svc/electron/preload')" : "require.resolve('@svc/electron/preload')";
  const major = majorOf(dependencies['electron']);
  const registered = major > 0 && major < 35
    ? `session.setPreloads([...session.getPreloads(), ${preload}]);`
    : `session.registerPreloadScript({ type: 'frame', filePath: ${preload} });`;
  const taken = isModule
    ? `import { createRequire } from 'node:module';\nimport { join } from 'node:path';\nimport { ${isTyped ? 'type ElectronAuth, ' : ''}createElectronAuth } from '@svc/electron';\nimport electron from 'electron';`
    : "const { join } = require('node:path');\nconst { createElectronAuth } = require('@svc/electron');\nconst electron = require('electron');";
  return `${taken}

/** Call it when the application is ready, before windows are made; \`trusted\` are the origins of windows that may ask. */
${isModule ? 'export function createAuth' : 'exports.createAuth = function createAuth'}(trusted${isTyped ? ': string[]' : ''} = ['file://'])${isTyped ? ': ElectronAuth' : ''} {
  const session = electron.session.defaultSession;
  ${registered}
  return createElectronAuth({
    electron,
    baseURL: ${JSON.stringify(issuer)},
    oauth: { clientId: ${JSON.stringify(clientId)} },
    file: join(electron.app.getPath('userData'), 'session'),
    trusted,
  });
}${isModule ? '' : ';'}
`;
}
