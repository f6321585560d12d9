// Apache with mod_auth_openidc, and the directives of docs/frameworks/mod-auth-openidc.md as they stand: it signs people in
// before an application that knows nothing of it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { blocks } from '../../guides.mjs';
import { dev } from './demo.js';
import { environment } from './guide.js';
import { Person } from './person.js';

const HOME = 'http://localhost:8090';
const MODULES = ['mpm_event', 'authn_core', 'authz_core', 'authz_user', 'proxy', 'proxy_http', 'auth_openidc'];
const folder = mkdtempSync(join(tmpdir(), 'svc-apache-'));
let apache;
let application;

/** What a package of the system has in its files of `/etc/apache2`, and then the guide. */
function configuration() {
  const [directives] = blocks('frameworks/mod-auth-openidc.md', 'apache');
  const load = MODULES.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`);
  return [
    ...load,
    `ServerRoot ${folder}`,
    'ServerName localhost',
    'Listen 127.0.0.1:8090',
    `PidFile ${folder}/apache.pid`,
    `DefaultRuntimeDir ${folder}`,
    `ErrorLog ${folder}/error.log`,
    'User www-data',
    'Group www-data',
    directives,
  ].join('\n');
}

/** Whether it answers. */
function answers() {
  return new Promise((resolve) => {
    httpRequest(HOME, { method: 'HEAD' }, (reply) => resolve(reply.resume().statusCode > 0))
      .on('error', () => resolve(false))
      .end();
  });
}

before(async () => {
  application = createServer(({ url, headers }, response) => {
    response.end(JSON.stringify({ url, user: headers['x-remote-user'], email: headers.oidc_claim_email }));
  });
  application.listen(3000, 'localhost');
  const file = join(folder, 'apache.conf');
  writeFileSync(file, configuration());
  apache = spawn('/usr/sbin/apache2', ['-D', 'FOREGROUND', '-f', file], { env: environment('apache'), stdio: 'inherit' });
  while (!(await answers())) {
    if (apache.exitCode !== null) throw new Error(`Apache ended with ${apache.exitCode}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
});

after(async () => {
  application?.close();
  if (apache?.exitCode === null) {
    apache.kill('SIGTERM');
    await once(apache, 'exit');
  }
  rmSync(folder, { recursive: true });
});

test('Apache signs a person in before its application, and out at the service', async () => {
  const person = new Person(dev.user);
  const reached = JSON.parse((await person.arrive(`${HOME}/private/orders`)).html);
  assert.equal(reached.url, '/orders');
  assert.equal(reached.email, 'ada@demo.example');

  const left = await person.visit(`${HOME}/redirect_uri?logout=${encodeURIComponent(`${HOME}/`)}`, `${HOME}/`);
  assert.equal(left.href, `${HOME}/`);
  const again = await person.look(`${HOME}/private/orders`);
  assert.match(again.html, /id="login-submit"/, 'neither Apache nor the service knows the person any more');
});
