// A fresh project of a framework, into which the command writes what it needs.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { dev } from '../../../test/service.js';

const CLI = fileURLToPath(new URL('../dist/cli.js', import.meta.url));

/** Makes the project of these files beside the example whose packages it uses; gives its folder. */
export function fresh(example, files) {
  const folder = fileURLToPath(new URL(`../../../examples/${example}/.fresh/`, import.meta.url));
  rmSync(folder, { recursive: true, force: true });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

/** Runs the command there; gives the settings that it wrote. */
export function connect(folder, origin) {
  const run = (...more) => {
    const env = { ...process.env, SVC_DCR_INITIAL_ACCESS_TOKEN: '' };
    const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, '--issuer', dev.issuer, '--origin', origin, ...more], { cwd: folder, encoding: 'utf8', env });
    assert.equal(stderr, '');
    return { status, stdout };
  };
  const declined = run();
  assert.equal(declined.status, 1);
  assert.match(declined.stdout, /\+\+\+ \.env\.local[^]*Nothing was written/, 'what would be written is shown, and without an answer nothing is');
  const written = run('--yes');
  assert.equal(written.status, 0);
  assert.match(run('--yes').stdout, /nothing to do/, 'once is enough');
  const lines = readFileSync(join(folder, '.env.local'), 'utf8').trim().split('\n');
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
}

/** Removes a project. */
export const remove = (folder) => rmSync(folder, { recursive: true, force: true });
