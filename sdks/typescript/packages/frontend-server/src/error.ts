// The one error of these packages: what failed, and for which request, without anything that a log must not hold.

/** What an `AuthError` may carry besides its code. */
export interface AuthErrorDetails {
  /** The status of an answer that reports it. */
  status?: number;
  /** `x-request-id` of the service's answer, for its logs. */
  requestId?: string | undefined;
  /** The tenant that was meant, or its issuer. */
  tenant?: string | undefined;
  /** Fields of an answer that reports it, such as `WWW-Authenticate`. */
  headers?: Record<string, string>;
}

/**
 * Something that was refused or failed. `code` is stable and made for programs; `message` is a sentence for people who read logs.
 *
 * INVARIANT: neither holds tokens, secrets, codes or cookies, and there is no `cause` that could.
 */
export class AuthError extends Error {
  override readonly name = 'AuthError';
  readonly code: string;
  readonly status: number;
  readonly requestId: string | undefined;
  readonly tenant: string | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: string, message: string, details: AuthErrorDetails = {}) {
    super(message);
    this.code = code;
    this.status = details.status ?? 500;
    this.requestId = details.requestId;
    this.tenant = details.tenant;
    this.headers = details.headers ?? {};
  }

  /** An answer that reports it, as the service's own (RFC 9457). */
  toResponse(): Response {
    const { code, message, status } = this;
    const body = { type: 'about:blank', title: TITLES[status] ?? 'Error', status, detail: message, error: code, error_description: message };
    const headers = { 'content-type': 'application/problem+json', 'cache-control': 'no-store', ...this.headers };
    return new Response(JSON.stringify(body), { status, headers });
  }

  toJSON(): Record<string, unknown> {
    const { code, message, status, requestId, tenant } = this;
    return { code, message, status, requestId, tenant };
  }
}

/** What was thrown; an error of ours that names no tenant, with this one. */
export function named(error: unknown, tenant: string): unknown {
  if (!(error instanceof AuthError) || error.tenant) return error;
  const { code, message, status, requestId, headers } = error;
  return new AuthError(code, message, { status, requestId, tenant, headers });
}

const TITLES: Record<number, string> = {
  400: 'Bad request',
  401: 'Unauthorized',
  403: 'Forbidden',
  405: 'Method not allowed',
  413: 'Too large',
  415: 'Unsupported media type',
  503: 'Unavailable',
};
