// Proof Key for Code Exchange (RFC 7636), with S256 alone.
import { digest, isSame, random } from './bytes.js';

/** A new verifier. */
export function createCodeVerifier(): string {
  return random(32);
}

/** Whether a text may be a verifier (§4.1). */
export function isCodeVerifier(text: string): boolean {
  return /^[\w.~-]{43,128}$/.test(text);
}

/** The challenge of a verifier (§4.2). */
export function codeChallenge(verifier: string): Promise<string> {
  return digest(verifier);
}

/** Whether a text is a valid verifier, and belongs to this challenge (§4.6). */
export async function isVerifierOf(verifier: string, challenge: string): Promise<boolean> {
  return isCodeVerifier(verifier) && isSame(await codeChallenge(verifier), challenge);
}
