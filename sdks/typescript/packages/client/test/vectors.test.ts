// The vectors that the server's own tests made, as far as a browser's client is concerned.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { calculatePKCECodeChallenge } from 'oauth4webapi';
import { describe, expect, test } from 'vitest';
import { checkDiscovery, readCallback } from '../src/callback.js';
import { SvcError } from '../src/errors.js';

const FOLDER = new URL('../../../../vectors/', import.meta.url);

function cases<C>(file: string): (C & { name: string })[] {
  return JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')).cases;
}

// Where the repository has no vectors at all there is nothing to run; one file that is missing is a fault.
const hasVectors = existsSync(FOLDER);

describe.skipIf(!hasVectors)('callback.json', () => {
  type Outcome = { code?: string; error?: string; refused?: string };
  const all = hasVectors ? cases<{ expected_state: string; expected_issuer: string; url: string; outcome: Outcome }>('callback.json') : [];
  test.each(all.map((one) => [one.name, one] as const))('%s', (_, { expected_state, expected_issuer, url, outcome }) => {
    let got: string;
    try {
      got = readCallback(new URL(url), expected_state, expected_issuer);
    } catch (error) {
      expect(error).toBeInstanceOf(SvcError);
      got = (error as SvcError).code;
    }
    expect(got).toBe(outcome.code ?? outcome.error ?? outcome.refused);
  });
});

describe.skipIf(!hasVectors)('discovery.json', () => {
  const all = hasVectors ? cases<{ issuer: string; document: unknown; outcome: string }>('discovery.json') : [];
  test.each(all.map((one) => [one.name, one] as const))('%s', (_, { issuer, document, outcome }) => {
    const check = (): unknown => checkDiscovery(issuer, document);
    if (outcome === 'ok') expect(check()).toBe(document);
    else expect(check).toThrow(SvcError);
  });
});

describe.skipIf(!hasVectors)('pkce.json', () => {
  const all = hasVectors ? cases<{ code_verifier: string; code_challenge: string; valid: boolean }>('pkce.json') : [];
  test.each(all.map((one) => [one.name, one] as const))('%s', async (_, { code_verifier, code_challenge, valid }) => {
    // The client makes verifiers and never takes one: what it would send for this one is compared.
    const isWellFormed = /^[A-Za-z0-9._~-]{43,128}$/.test(code_verifier);
    if (!code_verifier) return expect(valid).toBe(false);
    const made = await calculatePKCECodeChallenge(code_verifier);
    expect(made).toBe(createHash('sha256').update(code_verifier).digest('base64url'));
    return expect(isWellFormed && made === code_challenge).toBe(valid);
  });
});
