// Electron: the main process's part with its preload script, and a button in the page of Electron's quick start.
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

export async function electron(project: Project, settings: Settings): Promise<Plan> {
  const place = dirname(project.main);
  const text = await project.read(project.main);
  // Compiled programs have other entries than sources.
  const isOurs = !project.isTyped && text !== undefined;
  const isModule = !isOurs || /\.mjs$/.test(project.main) || (project.isModule && !/\.cjs$/.test(project.main));
  const auth = isOurs ? join(place, `auth.${isModule ? 'mjs' : 'cjs'}`) : `auth.${project.isTyped ? 'ts' : 'mjs'}`;
  const plan: Plan = { files: { [auth]: program(project, settings, isModule) }, changed: {}, left: [] };
  const started = isOurs && !text.includes('createAuth') ? replaced(text, /\bapp\.whenReady\(\)\.then\((?:async )?\(\) => \{\n/, '$&  createAuth()\n') : undefined;
  if (started) {
    const taken = isModule ? "import { createAuth } from './auth.mjs'" : "const { createAuth } = require('./auth.cjs')";
    plan.changed[project.main] = `${taken}\n${started}`;
  } else if (!text?.includes('createAuth')) {
    plan.left.push('call createAuth() in the main process when it is ready, before windows are made');
  }
  await page(project, plan, place);
  return plan;
}

async function page(project: Project, plan: Plan, place: string): Promise<void> {
  const path = join(place, 'index.html');
  const text = await project.read(path);
  if (text?.includes('sign-in.js')) return;
  const changed = replaced(text, /^([ \t]*)<\/body>/m, '$1  <script src="./sign-in.js"></script>\n$&');
  if (changed) {
    plan.files[join(place, 'sign-in.js')] = BUTTON;
    plan.changed[path] = changed;
  } else {
    plan.left.push('call window.svc.login() from a button of the page (docs/packages/electron.md)');
  }
}

/** An application that people install has no environment: its settings, which are no secrets, are in the file. */
function program({ dependencies, isTyped }: Project, { issuer, clientId }: Settings, isModule: boolean): string {
  const [preload, resolve] = isModule ? ["createRequire(import.meta.url).resolve('@svc/electron/preload')", 'createRequire'] : ["require.resolve('@svc/electron/preload')", ''];
  const major = majorOf(dependencies['electron']);
  const registered = major > 0 && major < 35
    ? `session.setPreloads([...session.getPreloads(), ${preload}]);`
    : `session.registerPreloadScript({ type: 'frame', filePath: ${preload} });`;
  const taken = isModule
    ? `${resolve ? `import { ${resolve} } from 'node:module';\n` : ''}import { join } from 'node:path';\nimport { createElectronAuth } from '@svc/electron';\nimport electron from 'electron';`
    : "const { join } = require('node:path');\nconst { createElectronAuth } = require('@svc/electron');\nconst electron = require('electron');";
  return `${taken}

/** Call it when the application is ready, before windows are made; \`trusted\` are the origins of windows that may ask. */
${isModule ? 'export function createAuth' : 'exports.createAuth = function createAuth'}(trusted${isTyped ? ': string[]' : ''} = ['file://']) {
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
