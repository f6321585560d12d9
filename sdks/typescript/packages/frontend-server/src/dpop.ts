// Proofs of possession at an API (RFC 9449 §4.3, §7.1).
import { calculateJwkThumbprint, compactVerify, decodeProtectedHeader, importJWK, type JWK } from 'jose';
import { digest, isSame, utf8 } from './bytes.js';
import { isCompact } from './compact.js';
import { AuthError } from './error.js';
import { timeOf } from './leeway.js';
import { type ReplayStore, isNew } from './replays.js';

/** The algorithms of proofs that are taken. */
export const DPOP_ALGORITHMS = ['ES256', 'EdDSA', 'Ed25519', 'PS256'];
const OLDEST_SECS = 60;
const LONGEST = 8 * 1024;
const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'] as const;
const FOREIGN = ['jku', 'x5u', 'x5c'];
/** 8192 bits in base64url. */
const LONGEST_MODULUS = 1_366;

/** What a proof must fit. */
export interface DpopExpectation {
  method: string;
  /** The address as clients see it; where it is not known, no proof fits. */
  url: string | undefined;
  accessToken: string;
  /** `cnf.jkt` of the token. */
  jkt: string;
  replays: ReplayStore;
  /** Unix time in seconds. */
  now: number;
  /** How far the sender's clock may be ahead, in seconds. */
  leeway: number;
}

/** Refuses a proof that does not fit. */
export async function verifyDpopProof(proof: string | null, expected: DpopExpectation): Promise<void> {
  const { url } = expected;
  if (!url) throw refuse('this API takes none until its option origin is set');
  if (!proof) throw refuse('it is missing');
  // Two header fields come as one with a comma.
  if (proof.includes(',') || proof.length > LONGEST) throw refuse('there is not exactly one');
  const { claims, jwk } = await verified(proof);
  const { htm, htu, jti, ath } = claims;
  if (htm !== expected.method) throw refuse('htm is another method');
  if (typeof htu !== 'string' || !isSameAddress(htu, url)) throw refuse('htu is another address');
  const iat = timeOf(claims.iat);
  if (iat === undefined) throw refuse('iat is no time');
  if (iat < expected.now - OLDEST_SECS) throw refuse(`it is ${Math.round(expected.now - iat)} s old by this machine's clock`);
  if (iat > expected.now + expected.leeway) throw refuse(`it is ${Math.round(iat - expected.now)} s ahead of this machine's clock`);
  // They are no part of a proof, but hold where a sender puts them in.
  const [nbf, exp] = [timeOf(claims.nbf), timeOf(claims.exp)];
  if (claims.nbf !== undefined && !(nbf !== undefined && nbf <= expected.now + expected.leeway)) throw refuse('its nbf is ahead');
  if (claims.exp !== undefined && !(exp !== undefined && exp + expected.leeway > expected.now)) throw refuse('its exp is over');
  if (typeof ath !== 'string' || !isSame(ath, await digest(expected.accessToken))) throw refuse('ath is that of another token');
  if ((await calculateJwkThumbprint(jwk)) !== expected.jkt) throw refuse('its key is not that of the token');
  if (typeof jti !== 'string' || jti === '' || utf8(jti).length > 256) throw refuse('jti is missing');
  const mark = `dpop:${await digest(`${expected.jkt} ${jti}`)}`;
  if (!(await isNew(expected.replays, mark, OLDEST_SECS + expected.leeway, 'proofs'))) throw refuse('it has been used before');
}

async function verified(proof: string): Promise<{ claims: Record<string, unknown>; jwk: JWK }> {
  try {
    if (!isCompact(proof)) throw refuse('it is no signed token');
    const header = decodeProtectedHeader(proof);
    const { typ, alg, jwk } = header;
    // A media type: in any letter case, `application/` is optional (RFC 7515 §4.1.9).
    const isProof = typeof typ === 'string' && typ.toLowerCase().replace(/^application\//, '') === 'dpop+jwt';
    if (!isProof || !DPOP_ALGORITHMS.includes(String(alg)) || !jwk) throw refuse('its header is no proof header');
    if (FOREIGN.some((name) => name in header)) throw refuse('it says where to fetch a key');
    if (PRIVATE_MEMBERS.some((name) => name in jwk)) throw refuse('its key is not public');
    if ((jwk.use ?? 'sig') !== 'sig') throw refuse('its key does not sign');
    if (jwk.alg !== undefined && oneName(jwk.alg) !== oneName(alg)) throw refuse('its key is for another algorithm');
    if (String(jwk.n ?? '').length > LONGEST_MODULUS) throw refuse('its key is too long');
    const { payload } = await compactVerify(proof, await importJWK(jwk, String(alg)), { algorithms: DPOP_ALGORITHMS });
    const claims: unknown = JSON.parse(new TextDecoder().decode(payload));
    if (typeof claims !== 'object' || claims === null) throw refuse('it has no claims');
    return { claims: claims as Record<string, unknown>, jwk };
  } catch (error) {
    throw error instanceof AuthError ? error : refuse('it cannot be verified');
  }
}

/** Ed25519 is the newer name of EdDSA (RFC 9864 §2.2). */
function oneName(alg: string | undefined): string | undefined {
  return alg === 'Ed25519' ? 'EdDSA' : alg;
}

/** Compared without query and fragment, after normalization (§4.3 number 9). */
function isSameAddress(htu: string, url: string): boolean {
  // The parser would pass over white space and read a backslash as a slash; no honest client writes such an address.
  if (!/^[\x21-\x5b\x5d-\x7e]+$/.test(htu) || !URL.canParse(htu)) return false;
  const { username, password } = new URL(htu);
  return !username && !password && normal(htu) === normal(url);
}

/** Unreserved characters stand as they are, other encoded ones in upper case (RFC 3986 §6.2.2). */
function normal(address: string): string {
  const { origin, pathname } = new URL(address);
  const plain = (octet: string) => {
    const letter = String.fromCharCode(Number.parseInt(octet.slice(1), 16));
    return /[\w.~-]/.test(letter) ? letter : octet.toUpperCase();
  };
  return `${origin}${pathname.replace(/%[0-9a-f]{2}/gi, plain)}`;
}

function refuse(why: string): AuthError {
  return new AuthError('invalid_dpop_proof', `The DPoP proof was refused: ${why}.`, { status: 401 });
}
