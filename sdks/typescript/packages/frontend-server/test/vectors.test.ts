// Every case of sdks/vectors, which the server's own tests make.
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  AuthError,
  KnownKeys,
  MemoryReplayStore,
  checkDiscovery,
  codeChallenge,
  everyItem,
  isVerifierOf,
  readCallback,
  requireAccessToken,
  verifyWebhook,
} from '../src/index.js';

const FOLDER = new URL('../../../../vectors/', import.meta.url);

// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Any = any;

/** Runs the cases of a file in their order: some follow from those before. */
function vectors(name: string, run: (one: Any, file: Any) => Promise<void> | void): void {
  const path = new URL(name, FOLDER);
  describe.skipIf(!existsSync(path))(name, () => {
    const file: Any = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : { cases: [] };
    for (const one of file.cases) test(one.name, () => run(one, file));
  });
}

vectors('pkce.json', async ({ code_verifier, code_challenge, valid }) => {
  expect(await isVerifierOf(code_verifier, code_challenge)).toBe(valid);
  if (valid) expect(await codeChallenge(code_verifier)).toBe(code_challenge);
});

vectors('callback.json', ({ url, expected_state: state, expected_issuer: issuer, outcome }) => {
  expect(readCallback(new URL(url), { state, issuer })).toEqual(outcome);
});

vectors('discovery.json', ({ issuer, document, outcome }) => {
  if (outcome === 'ok') expect(checkDiscovery(issuer, document)).toBe(document);
  else expect(() => checkDiscovery(issuer, document)).toThrow(AuthError);
});

const proofs = new MemoryReplayStore();

vectors('access_tokens.json', async ({ headers, method, url, required, outcome }, file) => {
  const authorize = requireAccessToken({
    issuer: file.issuer,
    audience: file.audience,
    tenantId: file.tenant_id,
    leewaySecs: file.leeway_secs,
    scope: required.scope,
    subjectTypes: required.subject_types,
    delegation: required.actors ? { actors: required.actors } : required.allow_delegation ? 'allow' : 'forbid',
    dpop: required.dpop,
    origin: 'https://api.example',
    replays: proofs,
    keys: new KnownKeys(file.jwks),
    now: () => file.now,
  });
  const seen = await authorize(new Request(url, { method, headers })).then(({ claims }) => ({ claims }), (error: unknown) => error);
  if (outcome.claims) return expect(seen).toEqual({ claims: outcome.claims });
  expect(seen).toBeInstanceOf(AuthError);
  const error = seen as AuthError;
  expect({ error: error.code, status: error.status }).toEqual(outcome);
  const token = headers.authorization?.split(' ').at(-1);
  if (token?.length > 20) expect(JSON.stringify(error) + (await error.toResponse().text())).not.toContain(token);
});

const deliveries = new MemoryReplayStore();

vectors('webhooks.json', async ({ secrets, headers, body_base64, outcome }, file) => {
  const options = { secrets, replays: deliveries, maxAgeSecs: file.max_age_ceiling_secs, now: () => file.now };
  const verified = verifyWebhook(new Headers(headers), Buffer.from(body_base64, 'base64'), options);
  const { ok, refused } = outcome;
  if (ok) expect(await verified).toMatchObject({ event: ok.event, deliveryId: ok.delivery_id });
  else await expect(verified).rejects.toMatchObject({ code: `webhook_${refused}` });
});

vectors('pagination.json', async ({ pages, items, requests, limit = 50 }) => {
  const asked: string[] = [];
  const seen: unknown[] = [];
  const fetchPage = async (query: string) => {
    asked.push(query);
    return pages[asked.length - 1];
  };
  for await (const item of everyItem(fetchPage, limit)) seen.push(item);
  expect(seen).toEqual(items);
  expect(asked).toEqual(requests);
});
