// Every option and variable of the command has its effect at the running server (SVC_DEV).
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { dev, manage } from '../../../test/service.js';
import { command, fresh, remove, settingsIn } from './fresh.js';

const ISSUER = ['--issuer', dev.issuer];
let folder;
beforeEach(() => (folder = fresh('react-spa', { 'package.json': '{ "dependencies": { "react": "19", "vite": "8" } }' }, '.fresh-options')));
afterEach(() => remove(folder));
const run = (options, environment) => command(folder, [...options, '--yes'], environment);
const untouched = () => assert.deepEqual(readdirSync(folder), ['package.json']);
const tokenOf = (quota) => manage('POST', 'registration-tokens', { description: 'A developer', quota });
const used = async ({ id }) => (await manage('GET', `registration-tokens/${id}`)).used;
const registered = async () => manage('GET', `applications/${settingsIn(folder).VITE_SVC_CLIENT_ID}`);

test('--issuer is where the application is registered, and --origin where people reach it', async () => {
  const { status, stdout, stderr } = run([...ISSUER, '--origin', 'https://shop.example']);
  assert.deepEqual([status, stderr], [0, '']);
  assert.match(stdout, /register at http:\/\/localhost:\d+ with the redirect URI https:\/\/shop\.example\/callback/);
  const { VITE_SVC_ISSUER, VITE_SVC_REDIRECT_URI } = settingsIn(folder);
  assert.deepEqual([VITE_SVC_ISSUER, VITE_SVC_REDIRECT_URI], [dev.issuer, 'https://shop.example/callback']);
  const { name, redirect_uris, post_logout_redirect_uris, token_endpoint_auth_method } = await registered();
  assert.deepEqual([name, redirect_uris, post_logout_redirect_uris, token_endpoint_auth_method],
    ['React, registered by svc-init', ['https://shop.example/callback'], ['https://shop.example/'], 'none']);
});

test('SVC_ISSUER is the issuer where the option is absent, and the origin is that of the development server', async () => {
  const { status, stderr } = run([], { SVC_ISSUER: dev.issuer });
  assert.deepEqual([status, stderr], [0, '']);
  assert.deepEqual((await registered()).redirect_uris, ['http://localhost:5173/callback']);
});

test('--tenant is refused where no tenant answers, and where another one does', () => {
  const unknown = run([...ISSUER, '--tenant', 'nobody']);
  assert.equal(unknown.status, 2);
  assert.match(unknown.stderr, /no tenant answers at http:\/\/nobody\.localhost:\d+: check --issuer and --tenant/);
  untouched();
  const other = run([...ISSUER, '--tenant', dev.tenant]);
  assert.equal(other.status, 2);
  assert.match(other.stderr, /--tenant \w+ needs a tenant with the issuer http:\/\/\w+\.localhost:\d+, and the default tenant with http:\/\/localhost:\d+ was found there/);
  untouched();
});

for (const [name, given] of [['--registration-token', (token) => [['--registration-token', token], {}]], ['SVC_DCR_INITIAL_ACCESS_TOKEN', (token) => [[], { SVC_DCR_INITIAL_ACCESS_TOKEN: token }]]]) {
  test(`${name} is spent by the registration, and refused when it is used up or unknown`, async () => {
    const token = await tokenOf(1);
    const [options, environment] = given(token.token);
    const first = run([...ISSUER, ...options], environment);
    assert.deepEqual([first.status, first.stderr], [0, '']);
    assert.ok(!first.stdout.includes(token.token) && !readFileSync(join(folder, '.env.local'), 'utf8').includes(token.token), 'nothing says the token');
    assert.equal(await used(token), 1);
    remove(folder);
    for (const value of [token.token, 'svc_rt_unknown']) {
      folder = fresh('react-spa', { 'package.json': '{ "dependencies": { "react": "19", "vite": "8" } }' }, '.fresh-options');
      const [options, environment] = given(value);
      const { status, stderr } = run([...ISSUER, ...options], environment);
      assert.equal(status, 2);
      assert.match(stderr, /^svc-init: the registration at \S+ was refused: invalid_token, request req_\w+\. The initial access token is unknown, expired or used up/);
      assert.ok(!stderr.includes(value));
      untouched();
    }
  });
}

test('--registration-token comes before the variable', async () => {
  const [option, variable] = [await tokenOf(1), await tokenOf(1)];
  assert.equal(run([...ISSUER, '--registration-token', option.token], { SVC_DCR_INITIAL_ACCESS_TOKEN: variable.token }).status, 0);
  assert.deepEqual([await used(option), await used(variable)], [1, 0]);
});

test('SVC_CLIENT_ID ends it before anything is asked, shown or spent', async () => {
  const token = await tokenOf(1);
  const { status, stdout, stderr } = run([...ISSUER, '--registration-token', token.token], { SVC_CLIENT_ID: 'app_1' });
  assert.deepEqual([status, stdout, stderr], [0, 'SVC_CLIENT_ID is set: nothing to do.\n', '']);
  assert.equal(await used(token), 0);
  untouched();
});

test('what is wrong is told in one line, and nothing is written', () => {
  const tries = {
    '--issuer is missing': [],
    "Unknown option '--isuer'": ['--isuer', dev.issuer],
    '--origin is no origin': [...ISSUER, '--origin', 'shop.example'],
    '--tenant needs the name of a host': ['--issuer', dev.issuer.replace('localhost', '127.0.0.1'), '--tenant', dev.tenant],
    'pass that as --issuer': ['--issuer', dev.issuer.replace('localhost', '127.0.0.1')],
    'does not answer': ['--issuer', 'http://localhost:9'],
  };
  for (const [message, options] of Object.entries(tries)) {
    const { status, stderr } = run(options);
    assert.equal(status, 2);
    assert.ok(stderr.startsWith('svc-init: ') && stderr.includes(message), stderr);
    assert.equal(stderr.trim().split('\n').length, 1);
  }
  untouched();
});
