// Times of tokens, and how far the clocks of the service and of this machine may differ (RFC 7519 §4.1.4).
import { AuthError } from './error.js';

/** The seconds that an option gives, 10 without it. INVARIANT: what is no number would make every time good. */
export function leewayOf({ leewaySecs = 10 }: { leewaySecs?: number | undefined }): number {
  if (!Number.isFinite(leewaySecs) || leewaySecs < 0) throw new AuthError('invalid_configuration', 'leewaySecs must be a number of seconds, 0 or more.');
  return leewaySecs;
}

/** A claim that is a time, as the service reads one (RFC 7519 §2): seconds that every reader of JSON has alike, without their fraction. */
export function timeOf(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 && value <= 2 ** 53 ? Math.floor(value) : undefined;
}
