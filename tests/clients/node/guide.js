// Programs of the guides, run as they stand in docs/.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { blocks } from '../../guides.mjs';
import { application, dev } from './demo.js';

// Inside `node_modules`, so that the programs find their packages.
const PROGRAMS = new URL('./node_modules/.guides/', import.meta.url);

/** The environment of a guide's program, for the guide's application. */
export function environment(handle) {
  const { client_id, client_secret } = application(handle);
  return {
    ...process.env,
    SVC_ISSUER: dev.issuer,
    SVC_CLIENT_ID: client_id,
    SVC_CLIENT_SECRET: client_secret,
    SESSION_SECRET: 'a secret of the application, 32 or more bytes',
  };
}

/** Starts the program of a page, which is ready when it has printed its first line; returns what stops it. */
export async function start(page, handle) {
  const [code] = blocks(page, 'js');
  const file = new URL(`${basename(page, '.md')}.mjs`, PROGRAMS);
  mkdirSync(PROGRAMS, { recursive: true });
  // Programs of the tutorials name the address of `dev`.
  writeFileSync(file, code.replaceAll("'http://localhost:8080'", `'${dev.issuer}'`));
  const options = { env: environment(handle), stdio: ['ignore', 'pipe', 'inherit'] };
  const program = spawn(process.execPath, [fileURLToPath(file)], options);
  const ended = once(program, 'exit');
  const failed = ended.then(([status]) => {
    throw new Error(`the program of ${page} ended with ${status} before it was ready`);
  });
  await Promise.race([once(createInterface(program.stdout), 'line'), failed]);
  return async () => {
    program.kill('SIGTERM');
    await ended;
  };
}
