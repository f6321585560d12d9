// Values that only this application can read and make (RFC 7516: `dir` with A256GCM), under keys that can be replaced.
import { CompactEncrypt, compactDecrypt } from 'jose';
import { base64url, utf8 } from './bytes.js';
import { AuthError } from './error.js';

interface SealingKey {
  kid: string;
  key: Uint8Array;
}

/** Seals with the first secret and opens with each of them: put a new one before the former, and drop that one later. */
export class Sealing {
  readonly #secrets: string[];
  readonly #keys = new Map<string, Promise<SealingKey[]>>();

  constructor(secrets: string | string[]) {
    this.#secrets = [secrets].flat();
    if (this.#secrets.length === 0 || this.#secrets.some((secret) => typeof secret !== 'string' || secret.length < 32)) {
      throw new AuthError('invalid_configuration', 'cookieSecrets: at least one secret, and none shorter than 32 characters.');
    }
  }

  /** What is sealed for one purpose opens for no other. `until` is Unix time in seconds. */
  async seal(purpose: string, value: unknown, until: number): Promise<string> {
    const [current] = await this.#keysFor(purpose);
    const text = JSON.stringify({ value, until });
    return new CompactEncrypt(utf8(text)).setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid: current!.kid }).encrypt(current!.key);
  }

  /** The value, unless it was changed, is too old, or is sealed with a secret that is gone. */
  async open(purpose: string, sealed: string | undefined): Promise<unknown> {
    if (!sealed) return undefined;
    const keys = await this.#keysFor(purpose);
    try {
      const find = ({ kid }: { kid?: string }) => keys.find((one) => one.kid === kid)?.key ?? Promise.reject(new Error('unknown key'));
      const options = { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] };
      const { plaintext } = await compactDecrypt(sealed, find, options);
      const { value, until } = JSON.parse(new TextDecoder().decode(plaintext)) as { value: unknown; until: number };
      return until > Date.now() / 1_000 ? value : undefined;
    } catch {
      return undefined;
    }
  }

  #keysFor(purpose: string): Promise<SealingKey[]> {
    let keys = this.#keys.get(purpose);
    if (!keys) this.#keys.set(purpose, (keys = Promise.all(this.#secrets.map((secret) => derived(secret, purpose)))));
    return keys;
  }
}

/** HKDF (RFC 5869): 32 bytes for the key, 6 for its name. */
async function derived(secret: string, purpose: string): Promise<SealingKey> {
  const from = await crypto.subtle.importKey('raw', utf8(secret), 'HKDF', false, ['deriveBits']);
  const info = utf8(`svc cookie v1 ${purpose}`);
  const bits = await crypto.subtle.deriveBits({ name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info }, from, 38 * 8);
  const bytes = new Uint8Array(bits);
  return { key: bytes.slice(0, 32), kid: base64url(bytes.slice(32)) };
}
