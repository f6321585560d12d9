// What comes back from the authorization endpoint (RFC 6749 §4.1.2, RFC 9207), and what discovery says (RFC 8414).
import type { AuthorizationServer } from 'oauth4webapi';
import { SvcError, plain } from './errors.js';

/** The code of an authorization response. INVARIANT: state and issuer are judged before anything else that the address says. */
export function readCallback(url: URL, state: string, issuer: string): string {
  const all = url.searchParams;
  for (const name of ['state', 'iss', 'code', 'error']) {
    if (all.getAll(name).length > 1) throw new SvcError('duplicate_parameter');
  }
  const required = (name: string, code: string): string => {
    const value = all.get(name);
    if (!value) throw new SvcError(code);
    return value;
  };
  if (required('state', 'missing_state') !== state) throw new SvcError('state_mismatch');
  if (required('iss', 'missing_issuer') !== issuer) throw new SvcError('issuer_mismatch');
  const error = all.get('error');
  if (error) throw new SvcError(plain(error));
  return required('code', 'missing_code');
}

/** The document of discovery, if it is the issuer's own and its endpoints are safe to use. */
export function checkDiscovery(issuer: string, document: unknown): AuthorizationServer {
  const as = document as AuthorizationServer | null;
  const home = new URL(issuer);
  const isSafe = (endpoint: unknown): boolean => {
    try {
      const { protocol, origin } = new URL(endpoint as string);
      return protocol === 'https:' || origin === home.origin;
    } catch {
      return false;
    }
  };
  const required = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const;
  const optional = [
    'userinfo_endpoint', 'end_session_endpoint', 'revocation_endpoint', 'pushed_authorization_request_endpoint',
  ] as const;
  if (
    as?.issuer !== issuer ||
    !required.every((name) => isSafe(as[name])) ||
    !optional.every((name) => as[name] === undefined || isSafe(as[name]))
  ) {
    throw new SvcError('invalid_discovery');
  }
  return as;
}

/** An address of the application itself, or an error: sign-in and sign-out lead nowhere else. */
export function ownAddress(address: string, redirectUri: string): string {
  const home = new URL(redirectUri);
  try {
    const { protocol, host, username, password, pathname, href } = new URL(address, home);
    if (protocol === home.protocol && host === home.host && !username && !password && !pathname.startsWith('//')) return href;
  } catch {
    // Said below.
  }
  throw new SvcError('invalid_return_to');
}

/** Whether an address is on this machine, where plain HTTP is allowed. */
export function isLoopback(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' && /^((.+\.)?localhost|127(\.\d+){3}|\[::1])$/.test(hostname);
}
