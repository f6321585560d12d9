/** What went wrong: a code for programs, and the number under which the server logged it. Never a token, a code or an address. */
export class SvcError extends Error {
  override readonly name = 'SvcError';
  /** An error code of OAuth (`access_denied`, `invalid_grant`…) or one of this package (`state_mismatch`, `network`…). */
  declare readonly code: string;
  /** The `X-Request-Id` of the answer, by which the server's log finds it. */
  declare readonly requestId: string | undefined;
  /** The status of the answer, where there was one. */
  declare readonly status: number | undefined;
  /** `Retry-After` of the answer: seconds, or a date. */
  declare readonly retryAfter: string | undefined;

  constructor(code: string, response?: Response) {
    super(`svc: ${code}${response ? ` (HTTP ${response.status})` : ''}`);
    this.code = code;
    this.requestId = response?.headers.get('x-request-id') ?? undefined;
    this.status = response?.status;
    this.retryAfter = response?.headers.get('retry-after') ?? undefined;
  }
}

/** A code that may be shown: what others made up is not repeated. */
export function plain(code: unknown): string {
  return typeof code === 'string' && /^[a-z_]{1,64}$/.test(code) ? code : 'server_error';
}

/** Whatever was thrown, as the one error class. The original is dropped: it may carry answers and addresses. */
export function wrapped(error: unknown): SvcError {
  if (error instanceof SvcError) return error;
  // What is loaded later throws codes, so that this class is not shared between files.
  if (typeof error === 'string') return new SvcError(error);
  const { name, error: said, response, cause, code } = error as {
    name?: string; error?: unknown; response?: Response; cause?: unknown; code?: unknown;
  };
  if (response instanceof Response) {
    const challenge = Array.isArray(cause) ? cause[0]?.parameters?.error : undefined;
    return new SvcError(said || challenge ? plain(said ?? challenge) : 'server_error', response);
  }
  // A token that has just been issued is too old, or of the future: the clock of this machine is wrong. Not so a sign-in of long ago.
  if (/TIMESTAMP/.test(code as string)) return new SvcError((cause as { claim?: string })?.claim === 'auth_time' ? 'max_age_exceeded' : 'clock_skew');
  // oauth4webapi gives its own refusals a code; what `fetch` throws has none.
  if ((name === 'TypeError' && !code) || /^(Abort|Timeout)Error$/.test(name as string)) return new SvcError('network');
  const answer = cause instanceof Response ? cause : undefined;
  return new SvcError((answer?.status as number) >= 500 ? 'server_error' : 'invalid_response', answer);
}
