// The client as it is built, in Node, in a worker of Node, and in Deno and Bun where they are installed.
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';

const SEEN = ['signed-in', 'usr_1', true, 1, true, 'signed-out'];
const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'svc-runtimes-'));
const program = join(folder, 'program.mjs');
const found = (path: string) => {
  const file = fileURLToPath(new URL(`../../../node_modules/${path}`, import.meta.url));
  return existsSync(file) ? file : undefined;
};
const deno = process.env['SVC_DENO'] ?? found('@deno/linux-x64-glibc/deno');
const bun = process.env['SVC_BUN'] ?? found('@oven/bun-linux-x64/bin/bun');
const saw = (said: string) => expect(JSON.parse(said.trim())).toEqual(SEEN);

beforeAll(async () => {
  const entry = fileURLToPath(new URL('runtime.ts', import.meta.url));
  await build({ entryPoints: [entry], outfile: program, bundle: true, format: 'esm', target: 'es2022', external: ['node:*'] });
});
afterAll(() => rmSync(folder, { recursive: true }));

test('Node', async () => saw((await run(process.execPath, [program])).stdout));

test('a worker', async () => {
  const worker = new Worker(program, { stdout: true });
  let said = '';
  worker.stdout.setEncoding('utf8').on('data', (part: string) => void (said += part));
  await new Promise((ended, failed) => worker.once('error', failed).once('exit', ended));
  saw(said);
});

test.skipIf(!deno)('Deno', async () => saw((await run(deno!, ['run', '--no-lock', program], { env: { ...process.env, NO_COLOR: '1' } })).stdout));

test.skipIf(!bun)('Bun', async () => saw((await run(bun!, ['run', program])).stdout));
