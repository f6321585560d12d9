// Requests to the service: bounded in time and size, without redirects, and over TLS except on this machine.
import { AuthError } from './error.js';

export type Fetch = (input: string, init: RequestInit) => Promise<Response>;

/** How the service is called. */
export interface Calling {
  /** Instead of the global `fetch`. */
  fetch?: Fetch | undefined;
  /** How long an answer may take, in milliseconds; 5,000 without it. */
  timeoutMs?: number | undefined;
}

const LARGEST = 256 * 1024;

/** Whether an address may be called: https, or http on this machine. */
export function isCallable(url: URL): boolean {
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url));
}

/** Whether an address is on this machine. */
export function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/** A `fetch` whose answers are read whole within the bounds before they are handed on. */
export function bounded({ fetch: call, timeoutMs = 5_000 }: Calling): Fetch {
  return async (address, init) => {
    const url = new URL(address);
    if (!isCallable(url)) throw new AuthError('insecure_address', `${url.origin} is neither https nor on this machine.`);
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const reply = await (call ?? fetch)(address, { ...init, redirect: 'manual', signal });
      const body = await limited(reply, signal);
      const { status, statusText, headers } = reply;
      const isEmpty = [101, 204, 205, 304].includes(status);
      return new Response(isEmpty ? null : body, { status, statusText, headers });
    } catch (error) {
      if (error instanceof AuthError) throw error;
      const reason = signal.aborted ? `did not answer within ${timeoutMs} ms` : 'could not be reached';
      throw new AuthError('temporarily_unavailable', `${url.origin} ${reason}.`, { status: 503 });
    }
  };
}

/** A document of the service. */
export async function fetchJson(address: string, calling: Calling): Promise<unknown> {
  const reply = await bounded(calling)(address, { headers: { accept: 'application/json' } });
  const requestId = reply.headers.get('x-request-id') ?? undefined;
  const { origin, pathname } = new URL(address);
  const refused = (what: string) => new AuthError('temporarily_unavailable', `${origin}${pathname} ${what}.`, { status: 503, requestId });
  if (reply.status !== 200) throw refused(`answered ${reply.status}`);
  try {
    return await reply.json();
  } catch {
    throw refused('is not JSON');
  }
}

async function limited(reply: Response, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let size = 0;
  const reader = reply.body?.getReader();
  const stop = () => void reader?.cancel().catch(() => {});
  signal.addEventListener('abort', stop);
  while (reader) {
    const { done, value } = await reader.read();
    if (signal.aborted) throw new Error('timeout');
    if (done) break;
    size += value.length;
    if (size > LARGEST) {
      stop();
      throw new AuthError('temporarily_unavailable', `An answer of the service has more than ${LARGEST} bytes.`, { status: 503 });
    }
    parts.push(value);
  }
  signal.removeEventListener('abort', stop);
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
