// Requests to the service and to APIs: bounded in time, with proofs where tokens are bound (RFC 8414, RFC 9449).
import * as oauth from 'oauth4webapi';
import { checkDiscovery, isLoopback } from './callback.js';
import type { Proofs } from './dpop.js';
import { SvcError, wrapped } from './errors.js';
import type { ClientOptions } from './types.js';

/** How long the answer to a renewal is waited for before it is asked for again, within the grace of the server. */
export const PATIENCE = [3_000, 5_000, 10_000];

export interface Sent extends RequestInit {
  patience?: number | undefined;
}

export interface Service {
  /** How everything is sent. A proof goes with what needs one, and again where it lacked the nonce of the server. */
  send(address: string | URL, init?: Sent, needsProof?: boolean, token?: string): Promise<Response>;
  discovered(): Promise<oauth.AuthorizationServer>;
  /** What makes proofs, where tokens are bound. */
  proofs(): Promise<Proofs | undefined>;
  /** What oauth4webapi sends its requests to the token endpoint with. */
  transport(patience: number | undefined): oauth.TokenEndpointRequestOptions;
}

/** What is spent by its first sending. */
export const isStream = (body: unknown): boolean => typeof ReadableStream !== 'undefined' && body instanceof ReadableStream;

export function createService(issuer: string, name: string, options: ClientOptions): Service {
  let server: Promise<oauth.AuthorizationServer> | undefined;
  let made: Promise<Proofs> | undefined;

  function discovered(): Promise<oauth.AuthorizationServer> {
    server ??= (async () => {
      const response = await send(`${issuer}/.well-known/openid-configuration`, { patience: PATIENCE[2] });
      if (!response.ok) throw new SvcError('discovery_failed', response);
      return checkDiscovery(issuer, await response.json());
    })().catch((reason: unknown) => {
      server = undefined;
      throw wrapped(reason);
    });
    return server;
  }

  async function send(address: string | URL, init: Sent = {}, needsProof = false, token?: string): Promise<Response> {
    const { patience, ...rest } = init;
    // React Native has no such signal: there, the network says when it gives up.
    if (patience && AbortSignal.timeout) rest.signal = AbortSignal.timeout(patience);
    const url = new URL(address);
    const proof = needsProof ? await proofs() : undefined;
    for (let turn = 0; ; turn += 1) {
      const headers = new Headers(rest.headers);
      if (token) headers.set('authorization', `${proof ? 'DPoP' : 'Bearer'} ${token}`);
      if (proof) headers.set('dpop', await proof.make(url, rest.method ?? 'GET', token));
      const response = await (options.fetch ?? globalThis.fetch)(url.href, { ...rest, headers });
      if (!(await proof?.learn(url, response)) || turn || isStream(rest.body)) return response;
    }
  }

  async function proofs(): Promise<Proofs | undefined> {
    if (options.dpop) return (made ??= import('./dpop.js').then((module) => module.proofs(name)));
    return undefined;
  }

  return {
    send,
    discovered,
    proofs,
    transport: (patience) => ({
      [oauth.customFetch]: (url: string, init: RequestInit) => send(url, { ...init, patience }, true),
      [oauth.allowInsecureRequests]: isLoopback(issuer),
    }) as oauth.TokenEndpointRequestOptions,
  };
}
