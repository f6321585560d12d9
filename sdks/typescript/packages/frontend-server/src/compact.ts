// The compact form of signed tokens (RFC 7515 §7.1), read as strictly as the service does.
import { base64url } from './bytes.js';

/**
 * Whether a text is three parts, each in the one spelling that its bytes have (no padding, no white space), of which the first two are
 * objects without a name that is there twice: readers differ in which of the two counts (RFC 8259 §4).
 */
export function isCompact(token: string): boolean {
  const parts = token.split('.').map(bytesOf);
  return parts.length === 3 && parts.every(Boolean) && parts.slice(0, 2).every((part) => isObject(part!));
}

function bytesOf(part: string): Uint8Array | undefined {
  try {
    const bytes = Uint8Array.from(atob(part.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));
    return base64url(bytes) === part ? bytes : undefined;
  } catch {
    return undefined;
  }
}

function isObject(bytes: Uint8Array): boolean {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const value: unknown = JSON.parse(text);
    // Outside of strings, each member has a colon.
    const colons = text.replace(/"(?:[^"\\]|\\.)*"/g, '').split(':').length - 1;
    return typeof value === 'object' && value !== null && !Array.isArray(value) && members(value) === colons;
  } catch {
    return false;
  }
}

/** How many members a value has, at every depth. */
function members(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const own = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Object.values(value).reduce((sum: number, one) => sum + members(one), own);
}
