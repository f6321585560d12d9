// What is generated from the published OpenAPI document compiles, refuses what the document refuses, and works.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import createClient from 'openapi-fetch';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { application, dev } from './demo.js';

/** A program that uses the generated types; a call that the document does not have has to be a fault of it. */
const PROGRAM = `
import createClient from 'openapi-fetch';
import type { paths } from './api.ts';

const client = createClient<paths>({ baseUrl: 'https://id.example.com' });

export async function main() {
  const tokens = await client.POST('/oauth/token', { body: { grant_type: 'client_credentials', scope: 'apis:read' } });
  const token: string | undefined = tokens.data?.access_token;
  const wait: string | undefined = tokens.error?.error;
  const page = await client.GET('/api/v1/applications', { params: { query: { limit: 5 } } });
  const names: string[] = page.data!.data.map((application) => application.name);
  const keys = await client.GET('/.well-known/jwks.json');
  const kid: string = keys.data!.keys[0].kid;
  // @ts-expect-error: no grant has this name
  await client.POST('/oauth/token', { body: { grant_type: 'telepathy' } });
  // @ts-expect-error: a code is exchanged with the code
  await client.POST('/oauth/token', { body: { grant_type: 'authorization_code' } });
  // @ts-expect-error: an application has no such member
  await client.POST('/api/v1/applications', { body: { name: 'Shop', colour: 'red' } });
  // @ts-expect-error: nothing is at this address
  await client.GET('/api/v1/nothing');
  return [token, wait, names, kid];
}
`;

describe('the OpenAPI document', { concurrency: 1 }, () => {
  let document;

  before(async () => {
    document = await (await fetch(`${dev.issuer}/openapi.json`)).json();
  });

  test('breaks no rule of the linter', async () => {
    const committed = readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8');
    // The examples are those of a deployment that does not exist.
    const config = await createConfig({ extends: ['recommended'], rules: { 'no-server-example.com': 'off' } });
    for (const source of [committed, JSON.stringify(document)]) {
      const problems = await lintFromString({ source, config, absoluteRef: '/openapi.json' });
      const told = problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} (${location[0]?.pointer})`);
      assert.deepEqual(told, []);
    }
  });

  test('becomes types that a program compiles with', async () => {
    const folder = mkdtempSync(new URL('./generated-', import.meta.url).pathname);
    try {
      writeFileSync(join(folder, 'api.ts'), astToString(await openapiTS(document)));
      writeFileSync(join(folder, 'program.ts'), PROGRAM);
      const program = ts.createProgram([join(folder, 'program.ts')], {
        strict: true,
        noEmit: true,
        allowImportingTsExtensions: true,
        target: ts.ScriptTarget.ES2022,
        module: ts.ModuleKind.NodeNext,
        moduleResolution: ts.ModuleResolutionKind.NodeNext,
        lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
        types: [],
      });
      const faults = ts.getPreEmitDiagnostics(program);
      assert.deepEqual(faults.map((fault) => ts.flattenDiagnosticMessageText(fault.messageText, '\n')), []);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('is a client that creates, reads and deletes an API', async () => {
    // The compiler has kept the loop busy: that the server has closed an idle connection meanwhile is seen first. What is due now comes
    // before the loop looks at connections, so that it takes two turns.
    await setImmediate();
    await setImmediate();
    const { client_id, client_secret } = application('admin-cli');
    const client = createClient({ baseUrl: dev.issuer });
    const asForm = (body) => new URLSearchParams(body);
    const tokens = await client.POST('/oauth/token', {
      body: { grant_type: 'client_credentials', scope: 'apis:read apis:write' },
      bodySerializer: asForm,
      headers: {
        authorization: `Basic ${btoa(`${client_id}:${client_secret}`)}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
    });
    assert.equal(tokens.response.status, 200, JSON.stringify(tokens.error));
    const headers = { authorization: `Bearer ${tokens.data.access_token}` };
    const { examples } = document.components.schemas.NewApi;
    const made = await client.POST('/api/v1/apis', { body: examples[0], headers });
    assert.equal(made.response.status, 201, JSON.stringify(made.error));
    const params = { path: { id: made.data.id } };
    const read = await client.GET('/api/v1/apis/{id}', { params, headers });
    assert.deepEqual(read.data, made.data);
    const disabled = await client.PUT('/api/v1/apis/{id}', { params, headers, body: { ...examples[0], identifier: undefined, enabled: false } });
    assert.equal(disabled.response.status, 200, JSON.stringify(disabled.error));
    const gone = await client.DELETE('/api/v1/apis/{id}', { params, headers });
    assert.equal(gone.response.status, 204, JSON.stringify(gone.error));
  });
});
