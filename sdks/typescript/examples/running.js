// An example with a server, built and started on a free port as an application of its own.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { application, dev } from '../test/service.js';

const SCOPE = 'openid profile email offline_access notes:read';

/** Gives its address, what it printed, what lets its tokens end, and what stops it. */
export async function start(name, cwd, build, command) {
  // SVC_BUILT=1 saves the time where nothing has changed.
  if (!process.env.SVC_BUILT) await run(build, cwd);
  const port = await freePort();
  const home = `http://localhost:${port}`;
  const registered = await application({
    name, scope: SCOPE, type: 'web', token_endpoint_auth_method: 'client_secret_basic', redirect_uris: [`${home}/auth/callback`],
    post_logout_redirect_uris: [`${home}/`], backchannel_logout_uri: `${home}/auth/backchannel-logout`,
  });
  const child = spawn(process.execPath, command(port), { cwd, env: environment(home, port, registered), stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (said += part));
  await answers(home, child, () => `${name} did not start: ${said}`);
  const stop = async () => {
    if (child.exitCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
  /** See clock.cjs, which says when it has done it. */
  const pass = () => new Promise((resolve, reject) => {
    const times = () => said.split('the clock was put on').length;
    const before = times();
    child.stderr.on('data', () => times() > before && resolve());
    child.once('exit', () => reject(new Error(`${name} ended: ${said}`)));
    child.kill('SIGUSR2');
  });
  return { home, said: () => said, pass, stop };
}

/** The settings of an example. */
function environment(home, port, { client_id, client_secret }) {
  return {
    ...process.env,
    NODE_OPTIONS: `--require ${new URL('clock.cjs', import.meta.url).pathname}`,
    SVC_ISSUER: dev.issuer,
    SVC_TENANT_ID: dev.tenant_id,
    SVC_CLIENT_ID: client_id,
    SVC_CLIENT_SECRET: client_secret,
    SVC_COOKIE_SECRET: randomBytes(32).toString('base64'),
    SVC_REDIRECT_URI: `${home}/auth/callback`,
    PORT: String(port),
    HOST: 'localhost',
    ORIGIN: home,
    NEXT_TELEMETRY_DISABLED: '1',
  };
}

/** Waits until a server answers. */
export async function answers(home, child, failure) {
  for (let turn = 0; ; turn += 1) {
    if (child.exitCode !== null || turn > 300) throw new Error(failure());
    if (await fetch(home, { redirect: 'manual' }).then((reply) => reply.status < 500, () => false)) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** Runs a program of Node to its end. */
export async function run(command, cwd) {
  const env = { ...process.env, NODE_OPTIONS: '', NEXT_TELEMETRY_DISABLED: '1' };
  const child = spawn(process.execPath, command, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (said += part));
  const [status] = await once(child, 'exit');
  assert.equal(status, 0, said);
}

/** The program of a package, found from a file. */
export function program(from, path) {
  const [name] = /^(@[^/]+\/)?[^/]+/.exec(path);
  const folders = createRequire(from).resolve.paths(name);
  const found = folders.map((folder) => join(folder, path)).find((file) => existsSync(file));
  assert.ok(found, `${path} is not installed`);
  return found;
}

let tried = 0;

/** A port on which nothing listens, below those that the system gives to connections: the example listens on it after it was built. */
export async function freePort() {
  // Files of tests run at once, in processes of their own, which begin elsewhere.
  for (; tried < 1_000; tried += 1) {
    const port = 10_000 + ((process.pid * 97 + tried) % 4_000);
    const server = createServer().listen(port, 'localhost');
    const isFree = await new Promise((resolve) => server.once('listening', () => resolve(true)).once('error', () => resolve(false)));
    if (!isFree) continue;
    await new Promise((resolve) => server.close(resolve));
    tried += 1;
    return port;
  }
  throw new Error('no port is free');
}
