// Runs ../test/server.test.ts, which waits for a server (SVC_DEV).
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

test('sign-in, renewal and sign-out against the running server', () => {
  const cwd = fileURLToPath(new URL('../../..', import.meta.url));
  const { status } = spawnSync('npx', ['vitest', 'run', 'packages/frontend-server/test/server.test.ts'], { cwd, stdio: 'inherit' });
  assert.equal(status, 0);
});
