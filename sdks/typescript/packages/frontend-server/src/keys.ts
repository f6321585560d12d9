// The signing keys of an issuer (RFC 7517): remembered, fetched again at most every thirty seconds, and kept through an outage.
import { importJWK, type JWK } from 'jose';
import type { Discovery } from './discovery.js';
import { AuthError } from './error.js';
import { type Calling, fetchJson } from './fetching.js';

/** As long as the issuer's answers may be kept: a key that leaked is gone then. */
const FRESH_MS = 5 * 60_000;
const COOLDOWN_MS = 30_000;
/** The same while there are no keys at all, since nothing can be verified without. */
const COOLDOWN_AT_START_MS = 1_000;
const MOST_KEYS = 100;
/** What a key must be for an algorithm to take it: never the other way round, so that a token does not choose its algorithm. */
const SHAPES: Record<string, { kty: string; crv?: string }> = {
  ES256: { kty: 'EC', crv: 'P-256' },
  EdDSA: { kty: 'OKP', crv: 'Ed25519' },
  RS256: { kty: 'RSA' },
  PS256: { kty: 'RSA' },
};

export type ImportedKey = CryptoKey | Uint8Array;

/** Finds the key of an id for an algorithm, if there is one. */
export interface Keys {
  find(kid: string, alg: string): Promise<ImportedKey | undefined>;
}

/** Keys that are at hand, of a document as `jwks_uri` has it. */
export class KnownKeys implements Keys {
  readonly #keys = new Map<string, JWK>();
  readonly #imported = new Map<string, Promise<ImportedKey>>();

  constructor(document: unknown) {
    const keys = (document as { keys?: unknown } | null)?.keys;
    if (!Array.isArray(keys) || keys.length > MOST_KEYS) throw new AuthError('keys_refused', 'The key set is no list of keys.', { status: 503 });
    for (const key of keys as JWK[]) {
      if (typeof key?.kid === 'string' && (key.use ?? 'sig') === 'sig' && key.d === undefined) this.#keys.set(key.kid, key);
    }
  }

  async find(kid: string, alg: string): Promise<ImportedKey | undefined> {
    const key = this.#keys.get(kid);
    const shape = SHAPES[alg];
    if (!key || !shape || key.kty !== shape.kty || (shape.crv && key.crv !== shape.crv)) return undefined;
    if (key.alg !== undefined && key.alg !== alg && !(alg === 'EdDSA' && key.alg === 'Ed25519')) return undefined;
    const name = `${alg} ${kid}`;
    let imported = this.#imported.get(name);
    if (!imported) {
      imported = importJWK({ ...key, alg }, alg);
      this.#imported.set(name, imported);
    }
    return imported.catch(() => undefined);
  }
}

/** Keys of an issuer, which discovery leads to. */
export class RemoteKeys implements Keys {
  readonly #discovery: Discovery;
  readonly #calling: Calling;
  #known: KnownKeys | undefined;
  #fetchedAt = Number.NEGATIVE_INFINITY;
  #triedAt = Number.NEGATIVE_INFINITY;
  #fetching: Promise<void> | undefined;

  constructor(discovery: Discovery, calling: Calling = {}) {
    this.#discovery = discovery;
    this.#calling = calling;
  }

  async find(kid: string, alg: string): Promise<ImportedKey | undefined> {
    const key = await this.#known?.find(kid, alg);
    if (key) {
      // What is known serves while newer keys come.
      if (performance.now() - this.#fetchedAt > FRESH_MS) this.#renew().catch(() => {});
      return key;
    }
    try {
      await this.#renew();
    } catch (error) {
      if (!this.#known) throw error;
    }
    return this.#known?.find(kid, alg);
  }

  /** INVARIANT: made-up key names lead to one request in thirty seconds, however many are sent. */
  #renew(): Promise<void> {
    if (this.#fetching) return this.#fetching;
    const now = performance.now();
    if (now - this.#triedAt < (this.#known ? COOLDOWN_MS : COOLDOWN_AT_START_MS)) {
      return this.#known ? Promise.resolve() : Promise.reject(unavailable(this.#discovery.issuer));
    }
    this.#triedAt = now;
    this.#fetching = this.#fetch().finally(() => (this.#fetching = undefined));
    return this.#fetching;
  }

  async #fetch(): Promise<void> {
    const { jwks_uri } = await this.#discovery.metadata();
    this.#known = new KnownKeys(await fetchJson(String(jwks_uri), this.#calling));
    this.#fetchedAt = performance.now();
  }
}

function unavailable(issuer: string): AuthError {
  return new AuthError('temporarily_unavailable', `The signing keys of ${issuer} cannot be had at the moment.`, { status: 503 });
}
