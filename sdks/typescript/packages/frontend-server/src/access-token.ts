// Access tokens at an API, judged by the ten rules of the service's contract, in their order (RFC 9068 §4, RFC 6750 §3).
import { compactVerify, decodeProtectedHeader } from 'jose';
import { isCompact } from './compact.js';
import { Discovery } from './discovery.js';
import { DPOP_ALGORITHMS, verifyDpopProof } from './dpop.js';
import { AuthError } from './error.js';
import { type Fetch, isCallable } from './fetching.js';
import { type Keys, RemoteKeys } from './keys.js';
import { leewayOf, timeOf } from './leeway.js';
import { MemoryReplayStore, type ReplayStore } from './replays.js';
import { shared } from './shared.js';

export type SubjectType = 'human' | 'agent' | 'system' | 'anonymous';

/** The application that acts for the subject, before those that acted already (RFC 8693 §4.1). */
export interface Actor {
  sub: string;
  act?: Actor;
}

/** The claims of an access token. */
export interface AccessTokenClaims {
  iss: string;
  sub: string;
  aud: string | string[];
  exp: number;
  nbf: number;
  tenant_id: string;
  client_id: string;
  scope?: string;
  subject_type: SubjectType;
  act?: Actor;
  org?: { id: string; slug: string; roles: string[] };
  cnf?: { jkt?: string };
  [claim: string]: unknown;
}

/** A token that has passed. */
export interface VerifiedAccessToken {
  claims: AccessTokenClaims;
  scopes: ReadonlySet<string>;
  isDpopBound: boolean;
}

/** The requirements of an API, or of one route, for access tokens. */
export interface AccessTokenRules {
  /** The issuer of the tenant, byte for byte. */
  issuer: string;
  /** The identifier of this API. */
  audience: string;
  /** The tenant that owns what is asked for, or how a request tells it. */
  tenantId: string | ((request: Request) => string | Promise<string>);
  /** The scope of the route; several must all be there. */
  scope?: string | string[];
  /** Who may call; by default only people. */
  subjectTypes?: SubjectType[];
  /** Whether tokens of applications that act for a person are accepted: none, those of any application, or those of the ones named. */
  delegation?: 'forbid' | 'allow' | { actors: string[] };
  /** Whether tokens may be bound to a key, or must be. */
  dpop?: 'optional' | 'required';
  /**
   * The origin at which clients reach this API, such as `https://api.example`, with a prefix that a proxy takes away. DPoP proofs
   * are compared with it, since `Host` is what the caller says: without it no proof is taken.
   */
  origin?: string;
  /** The address of this API's metadata document, for challenges (RFC 9728 §5.1). */
  resourceMetadata?: string;
  /** Where proofs are remembered; by default in the memory of this process. */
  replays?: ReplayStore;
  /** `JWT` for an API with `access_token_typ = "JWT"`. */
  typ?: 'at+jwt' | 'JWT';
  /** How far the clocks of the issuer and of senders of proofs may be ahead, in seconds; 10. `exp` is exact. */
  leewaySecs?: number;
  /** For tests, and where keys come in other ways. */
  keys?: Keys;
  fetch?: Fetch;
  now?: () => number;
}

const ALGORITHMS = ['ES256', 'EdDSA'];
const FOREIGN = ['jwk', 'jku', 'x5u', 'x5c'];
const LONGEST = 16 * 1024;

/**
 * Makes the function that takes requests with a good token and throws an `AuthError` for every other one; its
 * `toResponse()` is the answer, challenge included. Keys are shared by all functions for one issuer.
 */
export function requireAccessToken(rules: AccessTokenRules): (request: Request) => Promise<VerifiedAccessToken> {
  // Builds load routes without the settings of a deployment.
  let judge: Judge | undefined;
  return async (request) => (judge ??= new Judge(rules)).judge(request);
}

class Judge {
  readonly #rules: AccessTokenRules;
  readonly #keys: Keys;
  readonly #leeway: number;
  readonly #required: string[];

  constructor(rules: AccessTokenRules) {
    for (const name of ['issuer', 'audience', 'tenantId'] as const) {
      if (!rules[name]) throw new AuthError('invalid_configuration', `${name} is missing.`);
    }
    if (!URL.canParse(rules.issuer) || !isCallable(new URL(rules.issuer))) {
      throw new AuthError('invalid_configuration', 'issuer is no https address.');
    }
    const { origin, dpop } = rules;
    if (!origin && dpop === 'required') {
      throw new AuthError('invalid_configuration', "origin is missing: DPoP proofs are held against it. Set it to this API's address as clients see it.");
    }
    if (origin && !URL.canParse(origin)) throw new AuthError('invalid_configuration', 'origin is no address such as https://api.example.');
    this.#rules = rules;
    this.#keys = rules.keys ?? keysOf(rules);
    this.#leeway = leewayOf(rules);
    this.#required = [rules.scope ?? []].flat().flatMap((scope) => scope.split(' ')).filter(Boolean);
  }

  async judge(request: Request): Promise<VerifiedAccessToken> {
    const { tenantId } = this.#rules;
    let tenant = typeof tenantId === 'string' ? tenantId : undefined;
    try {
      const { token, scheme } = this.#presented(request);
      const claims = await this.#verified(token);
      this.#checkIssuer(claims);
      this.#checkAudience(claims);
      this.#checkTimes(claims);
      tenant = typeof tenantId === 'string' ? tenantId : await tenantId(request);
      if (!tenant || claims['tenant_id'] !== tenant) throw forbidden('The token is of another tenant.');
      const scopes = this.#checkScope(claims);
      const { subjectTypes = ['human'] } = this.#rules;
      const kind = claims['subject_type'] as SubjectType;
      if (!subjectTypes.includes(kind)) throw forbidden(`subject_type must be ${subjectTypes.join(' or ')}.`);
      this.#checkDelegation(claims);
      const isDpopBound = await this.#checkBinding(request, scheme, token, claims);
      return { claims: claims as AccessTokenClaims, scopes, isDpopBound };
    } catch (error) {
      if (!(error instanceof AuthError)) throw error;
      throw this.#challenged(error, request, tenant);
    }
  }

  /** Rule 1: from the header field, and from nowhere else. */
  #presented(request: Request): { token: string; scheme: 'bearer' | 'dpop' } {
    const field = request.headers.get('authorization') ?? '';
    const at = Math.max(field.indexOf(' '), 0);
    const scheme = field.slice(0, at).toLowerCase();
    const token = field.slice(at).trim();
    // Two header fields come as one with a comma.
    if ((scheme !== 'bearer' && scheme !== 'dpop') || token === '' || token.includes(',')) {
      throw new AuthError('missing_token', 'The request has no access token in its Authorization header.', { status: 401 });
    }
    if (token.length > LONGEST) throw invalid('It is longer than any token of the service.');
    return { token, scheme };
  }

  /** Rule 2: signed by the issuer as access tokens are, with a key of that algorithm. */
  async #verified(token: string): Promise<Record<string, unknown>> {
    let header;
    try {
      // The library reads more spellings of a token than it has.
      header = isCompact(token) ? decodeProtectedHeader(token) : undefined;
    } catch {
      // Said below.
    }
    if (!header) throw invalid('It is no signed token.');
    const { alg = '', kid, typ = '' } = header;
    if (!ALGORITHMS.includes(alg)) throw invalid(`Its algorithm is not ${ALGORITHMS.join(' or ')}.`);
    const wanted = (this.#rules.typ ?? 'at+jwt').toLowerCase();
    if (typeof typ !== 'string' || typ.toLowerCase().replace(/^application\//, '') !== wanted) throw invalid(`Its type is not ${wanted}.`);
    // A token that brings its key along, or says where to fetch it, is none of the service's.
    if (FOREIGN.some((name) => name in header)) throw invalid('It brings a key of its own.');
    if (typeof kid !== 'string') throw invalid('It names no key.');
    const key = await this.#keys.find(kid, alg);
    if (!key) throw invalid('Its key is none of the issuer.');
    let claims: Record<string, unknown> | undefined;
    try {
      const { payload } = await compactVerify(token, key, { algorithms: [alg] });
      claims = JSON.parse(new TextDecoder().decode(payload));
    } catch {
      // Whatever the library found, the signature does not hold.
    }
    if (typeof claims !== 'object' || claims === null || Array.isArray(claims)) throw invalid('Its signature does not hold.');
    // Every access token has both (RFC 9068 §2.2).
    const { sub, client_id: client } = claims;
    if (!sub || typeof sub !== 'string' || !client || typeof client !== 'string') throw invalid('It names no subject or no client.');
    return claims;
  }

  /** Rule 3. */
  #checkIssuer({ iss }: Record<string, unknown>): void {
    if (iss !== this.#rules.issuer) throw invalid('It is of another issuer.');
  }

  /** Rule 4. */
  #checkAudience({ aud }: Record<string, unknown>): void {
    const { audience } = this.#rules;
    if (aud !== audience && !(Array.isArray(aud) && aud.includes(audience))) throw invalid('It is for another API.');
  }

  /** Rule 5: `exp` is exact, as it is at the issuer. */
  #checkTimes(claims: Record<string, unknown>): void {
    const now = this.#now();
    const exp = timeOf(claims.exp);
    if (exp === undefined) throw invalid('It has no exp.');
    if (now >= exp) throw invalid(`It expired ${Math.ceil(now - exp)} s ago by this machine's clock.`);
    for (const name of ['nbf', 'iat']) {
      if (claims[name] === undefined) continue;
      const time = timeOf(claims[name]);
      if (time === undefined) throw invalid(`Its ${name} is no time.`);
      if (time > now + this.#leeway) {
        throw invalid(`Its ${name} is ${Math.ceil(time - now)} s ahead: this machine's clock, or the issuer's, is wrong.`);
      }
    }
  }

  /** Rule 7. */
  #checkScope({ scope }: Record<string, unknown>): Set<string> {
    const scopes = new Set(typeof scope === 'string' ? scope.split(' ').filter(Boolean) : []);
    if (this.#required.every((one) => scopes.has(one))) return scopes;
    throw new AuthError('insufficient_scope', `The token lacks the scope ${this.#required.join(' ')}.`, { status: 403 });
  }

  /** Rule 9: who acts now is the outermost actor; those before it are history (RFC 8693 §4.1). */
  #checkDelegation({ act }: Record<string, unknown>): void {
    if (act === undefined) return;
    const { delegation = 'forbid' } = this.#rules;
    if (delegation === 'forbid') throw forbidden('No application may act for a person here.');
    const actor = (act as { sub?: unknown } | null)?.sub;
    if (typeof actor !== 'string' || actor === '') throw forbidden('The actor is not named.');
    if (delegation !== 'allow' && !delegation.actors.includes(actor)) throw forbidden('This application may not act for a person here.');
  }

  /** Rule 10: a bound token with its proof, and a proof with a bound token only. */
  async #checkBinding(request: Request, scheme: 'bearer' | 'dpop', token: string, claims: Record<string, unknown>): Promise<boolean> {
    const confirmation = claims['cnf'] as { jkt?: unknown } | undefined;
    const jkt = confirmation?.jkt;
    if (confirmation === undefined) {
      if (scheme === 'dpop') throw invalid('It is bound to no key, and came as DPoP.');
      if (this.#rules.dpop === 'required') throw invalid('It must be bound to a key.');
      return false;
    }
    // Other confirmations (RFC 8705) are for servers that see the certificate of the connection.
    if (typeof jkt !== 'string') throw invalid('It is bound in a way that is not verified here.');
    if (scheme !== 'dpop') throw invalid('It is bound to a key, and came as Bearer.');
    const { method } = request;
    const { origin, replays = shared('replays', () => new MemoryReplayStore()) } = this.#rules;
    const url = origin && origin.replace(/\/$/, '') + new URL(request.url).pathname;
    await verifyDpopProof(request.headers.get('dpop'), { method, url, accessToken: token, jkt, replays, now: this.#now(), leeway: this.#leeway });
    return true;
  }

  #now(): number {
    return this.#rules.now?.() ?? Date.now() / 1_000;
  }

  /** The same error with the challenge that belongs to it (RFC 6750 §3, RFC 9449 §7.1). */
  #challenged(error: AuthError, request: Request, tenant: string | undefined): AuthError {
    const { code, message, status } = error;
    const requestId = error.requestId ?? request.headers.get('x-request-id') ?? undefined;
    const headers: Record<string, string> = { ...error.headers };
    if (status === 401 || code === 'insufficient_scope') headers['www-authenticate'] = this.#challenge(error, request);
    return new AuthError(code, message, { status, requestId, tenant: tenant ?? error.tenant, headers });
  }

  #challenge({ code, message }: AuthError, request: Request): string {
    const { resourceMetadata, dpop } = this.#rules;
    const isDpop = dpop === 'required' || code === 'invalid_dpop_proof' || /^dpop( |$)/i.test(request.headers.get('authorization') ?? '');
    const parameters: [string, string][] = [];
    if (code !== 'missing_token') parameters.push(['error', code], ['error_description', message]);
    if (this.#required.length > 0) parameters.push(['scope', this.#required.join(' ')]);
    if (resourceMetadata) parameters.push(['resource_metadata', resourceMetadata]);
    if (isDpop) parameters.push(['algs', DPOP_ALGORITHMS.join(' ')]);
    return challenge(isDpop ? 'DPoP' : 'Bearer', parameters);
  }
}

/** A `WWW-Authenticate` field (RFC 9110 §11.6.1). */
export function challenge(scheme: string, parameters: [string, string][]): string {
  const text = parameters.map(([name, value]) => `${name}="${value.replace(/[^\x20-\x7e]|["\\]/g, "'")}"`).join(', ');
  return text ? `${scheme} ${text}` : scheme;
}

function keysOf({ issuer, fetch }: AccessTokenRules): Keys {
  if (fetch) return new RemoteKeys(new Discovery(issuer, { fetch }), { fetch });
  return shared(`keys ${issuer}`, () => new RemoteKeys(new Discovery(issuer)));
}

function invalid(why: string): AuthError {
  return new AuthError('invalid_token', `The access token was refused. ${why}`, { status: 401 });
}

function forbidden(why: string): AuthError {
  return new AuthError('forbidden', why, { status: 403 });
}
