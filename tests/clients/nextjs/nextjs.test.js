// A Next.js application with the files of docs/frameworks/nextjs.md, in development mode, against a running development server
// (SVC_DEV).
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { createInterface } from 'node:readline';
import { dev } from '../node/demo.js';
import { environment } from '../node/guide.js';
import { Person } from '../node/person.js';

const HOME = 'http://localhost:3000';
let next;

before(async () => {
  const env = { ...environment('nextjs'), AUTH_SECRET: 'a secret of the application, 32 or more bytes', NEXT_TELEMETRY_DISABLED: '1' };
  const options = { cwd: import.meta.dirname, env, stdio: ['ignore', 'pipe', 'inherit'] };
  next = spawn(process.execPath, ['node_modules/next/dist/bin/next', 'dev', '--port', '3000'], options);
  for await (const line of createInterface(next.stdout)) if (line.includes('Ready')) return;
  throw new Error('Next.js ended before it was ready');
});

after(async () => {
  if (next?.exitCode !== null) return;
  next.kill('SIGTERM');
  await once(next, 'exit');
});

test('Next.js signs a person in, and its pages know the person', async () => {
  const person = new Person(dev.user);
  assert.match((await person.look(HOME)).html, />Sign in</);
  await person.arrive(`${HOME}/api/auth/signin`);
  assert.match((await person.look(HOME)).html, />ada@demo\.example</);
});
