// A fresh project of a framework, into which the command writes what it needs.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { dev } from '../../../test/service.js';

const CLI = fileURLToPath(new URL('../dist/cli.js', import.meta.url));

/** Makes the project of these files beside the example whose packages it uses; gives its folder. */
export function fresh(example, files, name = '.fresh') {
  const folder = fileURLToPath(new URL(`../../../examples/${example}/${name}/`, import.meta.url));
  rmSync(folder, { recursive: true, force: true });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

/** The files of a template of a program that makes projects, as it copies them. */
export function template(program, path) {
  return filesIn(join(dirname(createRequire(import.meta.url).resolve(`${program}/package.json`)), path));
}

/** The files of a folder, by their paths in it. */
export function filesIn(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(files.map(({ parentPath, name }) => [relative(folder, join(parentPath, name.replace(/^_?gitignore$/, '.gitignore'))), readFileSync(join(parentPath, name))]));
}

/** Runs the command in a folder, in an environment that says nothing of the service. */
export function command(folder, options, environment = {}) {
  const ours = Object.entries(process.env).filter(([name]) => !name.startsWith('SVC_'));
  const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...options], { cwd: folder, encoding: 'utf8', env: { ...Object.fromEntries(ours), ...environment } });
  return { status, stdout, stderr };
}

/** Connects a project to the running server; gives the settings that were written. */
export function connect(folder, origin) {
  const run = (...more) => {
    const done = command(folder, ['--issuer', dev.issuer, ...(origin ? ['--origin', origin] : []), ...more]);
    assert.equal(done.stderr, '');
    return done;
  };
  const before = readdirSync(folder, { recursive: true });
  const declined = run();
  assert.equal(declined.status, 1);
  assert.match(declined.stdout, /\+\+\+ \.env\.local[^]*Nothing was written/, 'what would be written is shown, and without an answer nothing is');
  assert.deepEqual(readdirSync(folder, { recursive: true }), before);
  const written = run('--yes');
  assert.equal(written.status, 0);
  assert.match(run('--yes').stdout, /nothing to do/, 'once is enough');
  return settingsIn(folder);
}

/** The settings of a project. */
export function settingsIn(folder) {
  const lines = readFileSync(join(folder, '.env.local'), 'utf8').trim().split('\n');
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
}

/** Removes a project. */
export const remove = (folder) => rmSync(folder, { recursive: true, force: true });
