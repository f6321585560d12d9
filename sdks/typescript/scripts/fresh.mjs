// Installs an archive into a project of its own, with what the package needs beside it, and uses it there: its modules are loaded, and
// its types are checked as bundlers and as Node find them.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { linked, root } from './packages.mjs';

/** What a package needs that cannot be installed here. */
const STAND_INS = { electron: 'exports.contextBridge = { exposeInMainWorld() {} };\nexports.ipcRenderer = { on() {} };\n' };
const RESOLUTIONS = { bundler: { module: 'ESNext', moduleResolution: 'Bundler' }, node16: { module: 'Node16', moduleResolution: 'Node16' } };

/** What is wrong with the package in a fresh project below `place`; `archives` has the archive of every package by its name. */
export function faultsWhenFresh({ manifest }, archives, place) {
  const folder = join(place, manifest.name.replace('/', '-').slice(1));
  install(manifest, archives, folder);
  const faults = [...loaded(manifest, folder), ...commands(manifest, folder), ...typed(manifest, folder)];
  return faults.map((fault) => `${manifest.name} in a fresh project: ${fault}`);
}

function install(manifest, archives, folder) {
  const workspace = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const ours = [manifest.name, ...linked({ dependencies: manifest.dependencies })];
  const peers = Object.keys(manifest.peerDependencies ?? {}).filter((name) => !manifest.peerDependenciesMeta?.[name]?.optional);
  const dependencies = Object.fromEntries([
    ...ours.map((name) => [name, `file:${archives.get(name)}`]),
    ...peers.map((name) => [name, versionOf(manifest, name)]),
    // Declarations that a framework leaves to others.
    ...Object.entries({ ...workspace.devDependencies, ...manifest.devDependencies }).filter(([name]) => name.startsWith('@types/')),
  ]);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'fresh', private: true, type: 'module', dependencies }));
  execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  for (const name of Object.keys(manifest.peerDependencies ?? {})) {
    if (name in STAND_INS) standIn(join(folder, 'node_modules', name), STAND_INS[name]);
  }
}

function standIn(folder, text) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'index.js'), text);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ version: '0.0.0' }));
}

/** The version that the workspace has of a framework. */
function versionOf({ devDependencies, peerDependencies }, name) {
  return devDependencies?.[name] ?? peerDependencies[name];
}

function loaded(manifest, folder) {
  // Components of Svelte are compiled by the application's bundler.
  if (manifest.svc.asIs) return [];
  return entries(manifest).flatMap(({ name, hasRequire }) => {
    // Other entries may be scripts, as the preload script of Electron is.
    const check = name === manifest.name ? "if (Object.keys(all).length === 0) throw new Error('it exports nothing');" : '';
    const ways = [['import', `const all = await import('${name}'); ${check}`, 'module']];
    if (hasRequire) ways.push(['require', `const all = require('${name}'); ${check}`, 'commonjs']);
    return ways.flatMap(([way, text, type]) => failed(`${way} of ${name}`, spawnSync(process.execPath, [`--input-type=${type}`, '-e', text], { cwd: folder, encoding: 'utf8' })));
  });
}

/** The commands of a package answer to `--help`. */
function commands({ bin = {} }, folder) {
  return Object.keys(bin).flatMap((name) => failed(`${name} --help`, spawnSync(join(folder, 'node_modules', '.bin', name), ['--help'], { cwd: folder, encoding: 'utf8' })));
}

function typed(manifest, folder) {
  const names = entries(manifest);
  names.forEach(({ name, hasRequire }, n) => {
    writeFileSync(join(folder, `page${n}.ts`), `import * as all from '${name}';\nexport const kept: object = all;\n`);
    if (hasRequire) writeFileSync(join(folder, `page${n}.cts`), `import all = require('${name}');\nexport const kept: object = all;\n`);
  });
  return Object.entries(RESOLUTIONS).flatMap(([kind, resolution]) => {
    const include = names.flatMap(({ hasRequire }, n) => (hasRequire && kind !== 'bundler' ? [`page${n}.ts`, `page${n}.cts`] : [`page${n}.ts`]));
    const compilerOptions = { ...resolution, target: 'ES2022', lib: ['ES2023', 'DOM', 'DOM.Iterable'], strict: true, noEmit: true, types: ['node'], skipLibCheck: false };
    writeFileSync(join(folder, `tsconfig.${kind}.json`), JSON.stringify({ compilerOptions, include }));
    const { stdout } = spawnSync(join(root, 'node_modules', '.bin', 'tsc'), ['-p', `tsconfig.${kind}.json`, '--pretty', 'false'], { cwd: folder, encoding: 'utf8' });
    // Declarations of frameworks are theirs to mend.
    return stdout.split('\n').filter((line) => /^(page\d|node_modules\/@svc\/|error )/.test(line)).map((line) => `types, ${kind}: ${line}`);
  });
}

function entries({ name, exports }) {
  return Object.entries(exports).map(([path, conditions]) => ({ name: join(name, path), hasRequire: 'require' in conditions }));
}

function failed(what, { status, stderr }) {
  return status === 0 ? [] : [`${what}: ${stderr.trim()}`];
}
