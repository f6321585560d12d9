// What the service says about itself (OpenID Connect Discovery §4): checked, remembered, and asked again after a while.
import type { AuthorizationServer } from 'oauth4webapi';
import { AuthError } from './error.js';
import { type Calling, fetchJson, isCallable } from './fetching.js';

const FRESH_MS = 60 * 60_000;
/** In an outage the old answer serves for so long before it is asked for again: no request waits for that each time. */
const PAUSE_MS = 30_000;
const NEEDED = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const;
const ENDPOINTS = [...NEEDED, 'userinfo_endpoint', 'revocation_endpoint', 'end_session_endpoint', 'pushed_authorization_request_endpoint'] as const;

/** The metadata of an issuer, if `document` is it; otherwise an error that names the member at fault (§4.3). */
export function checkDiscovery(issuer: string, document: unknown): AuthorizationServer {
  const refuse = (what: string) => new AuthError('discovery_refused', `The discovery document of ${issuer}: ${what}.`, { status: 503 });
  if (typeof document !== 'object' || document === null || Array.isArray(document)) throw refuse('it is no object');
  const metadata = document as Record<string, unknown>;
  if (metadata['issuer'] !== issuer) throw refuse('its issuer is another one');
  for (const name of NEEDED) if (typeof metadata[name] !== 'string') throw refuse(`${name} is missing`);
  for (const name of ENDPOINTS) {
    const value = metadata[name];
    if (value === undefined) continue;
    const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined;
    if (!url || !isCallable(url)) throw refuse(`${name} is no address over TLS`);
    if (url.protocol === 'http:' && new URL(issuer).protocol === 'https:') throw refuse(`${name} leaves TLS`);
  }
  return metadata as AuthorizationServer;
}

/** The metadata of one issuer, fetched when first needed. */
export class Discovery {
  readonly issuer: string;
  readonly #calling: Calling;
  #known: { metadata: AuthorizationServer; at: number } | undefined;
  #asking: Promise<AuthorizationServer> | undefined;

  constructor(issuer: string, calling: Calling = {}) {
    if (!URL.canParse(issuer)) throw new AuthError('invalid_configuration', 'issuer is no address.');
    this.issuer = issuer;
    this.#calling = calling;
  }

  /** What is known; an old answer survives an outage. */
  async metadata(): Promise<AuthorizationServer> {
    if (this.#known && Date.now() - this.#known.at < FRESH_MS) return this.#known.metadata;
    this.#asking ??= this.#ask().finally(() => (this.#asking = undefined));
    try {
      return await this.#asking;
    } catch (error) {
      if (!this.#known) throw error;
      this.#known.at = Date.now() - FRESH_MS + PAUSE_MS;
      return this.#known.metadata;
    }
  }

  async #ask(): Promise<AuthorizationServer> {
    const address = `${this.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const metadata = checkDiscovery(this.issuer, await fetchJson(address, this.#calling));
    this.#known = { metadata, at: Date.now() };
    return metadata;
  }
}
