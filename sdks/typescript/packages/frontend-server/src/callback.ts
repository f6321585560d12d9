// The authorization response as it comes back with the browser (RFC 6749 §4.1.2, RFC 9207 §2.4).
import { isSame } from './bytes.js';

/** Why a response is not looked at any further. */
export type CallbackRefusal =
  | 'missing_state'
  | 'state_mismatch'
  | 'missing_issuer'
  | 'issuer_mismatch'
  | 'duplicate_parameter'
  | 'missing_code';

export type CallbackOutcome = { code: string } | { error: string } | { refused: CallbackRefusal };

const ONCE = ['state', 'iss', 'code', 'error', 'error_description'];

/** Reads the address that the browser came back with. Even an error counts only with the state and the issuer of the request. */
export function readCallback(url: URL, expected: { state: string; issuer: string }): CallbackOutcome {
  const { searchParams: parameters } = url;
  if (ONCE.some((name) => parameters.getAll(name).length > 1)) return { refused: 'duplicate_parameter' };
  const [state, iss, error, code] = ['state', 'iss', 'error', 'code'].map((name) => parameters.get(name));
  if (!state) return { refused: 'missing_state' };
  if (!isSame(state, expected.state)) return { refused: 'state_mismatch' };
  if (!iss) return { refused: 'missing_issuer' };
  if (iss !== expected.issuer) return { refused: 'issuer_mismatch' };
  if (error) return { error };
  return code ? { code } : { refused: 'missing_code' };
}
