/** Finds the service by its discovery document and registers an application there (RFC 7591). */
import type { Framework } from './frameworks.js';

/** An error whose message is for people; it never holds tokens or secrets. */
export class InitError extends Error {}

/** Where an application is registered. */
export interface Service {
  issuer: string;
  endpoint: string;
}

export interface Registered {
  client_id: string;
  client_secret?: string;
}

/** What an application is registered with. */
export interface Application {
  framework: Framework;
  redirectUri: string;
  /** Where people reach it. */
  home: string;
  registrationToken?: string | undefined;
}

/** The function that sends requests to the service. */
export type Send = (address: string, request: RequestInit) => Promise<Response>;

/** Asks the address of the issuer, or of its tenant, for its discovery document. */
export async function discover(issuer: string, tenant: string | undefined, send: Send): Promise<Service> {
  const given = withoutSlash(addressOf(issuer));
  let address = withoutSlash(ofTenant(addressOf(issuer), tenant));
  const mayBeOwn = !!tenant && new URL(given).hostname.startsWith(`${tenant}.`);
  const ask = (at: string) => reach(send, `${at}/.well-known/openid-configuration`, {});
  // An issuer that is the tenant's own already has nothing below it. Where something answers there, it alone says what it is.
  const response = await ask(address).catch((error: unknown) => {
    if (!mayBeOwn) throw error;
    address = given;
    return ask(given);
  });
  if (response.status === 404) {
    const hint = mayBeOwn && address !== given ? `. Where ${given} is the tenant's own address, leave --tenant out` : '';
    throw new InitError(`no tenant answers at ${address}: check --issuer${tenant ? ' and --tenant' : ''}${hint}`);
  }
  const document = (await response.json().catch(() => ({}))) as { issuer?: unknown; registration_endpoint?: unknown };
  const named = document.issuer;
  if (!response.ok || typeof named !== 'string') throw new InitError(`${address} answers, but not with a discovery document (HTTP ${response.status})`);
  // INVARIANT: a mistyped tenant is never registered at another one. A service whose tenants have no labels answers at every label as its default tenant.
  if (named !== address && tenant && named === given) throw new InitError(`--tenant ${tenant} needs a tenant with the issuer ${address}, and the default tenant with ${given} was found there. Check the name, or leave --tenant out to register at ${given}`);
  if (named !== address) throw new InitError(`the issuer at ${address} is ${shownIssuer(named)}: pass that as --issuer${tenant ? ', without --tenant' : ''}`);
  if (document.registration_endpoint === undefined) throw new InitError(`${named} registers no applications: an administrator switches it on by oidc.dynamic_registration`);
  // INVARIANT: the token of the administrator goes to the issuer alone.
  const endpoint = new URL(String(document.registration_endpoint), `${named}/`);
  if (endpoint.origin !== new URL(named).origin) throw new InitError(`the registration endpoint of ${named} is at another origin`);
  return { issuer: named, endpoint: endpoint.href };
}

/** Registers it; gives its client id and, for applications with a server, its secret. */
export async function register({ issuer, endpoint }: Service, application: Application, send: Send): Promise<Registered> {
  const { registrationToken } = application;
  const response = await reach(send, endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(registrationToken ? { authorization: `Bearer ${registrationToken}` } : {}) },
    body: JSON.stringify(metadata(application)),
  });
  const answer = (await response.json().catch(() => ({}))) as Partial<Registered> & { error?: string };
  if (response.ok && answer.client_id) return answer as Registered;
  const code = /^[a-z_]{1,64}$/.test(answer.error ?? '') ? answer.error : `HTTP ${response.status}`;
  throw new InitError(`the registration at ${issuer} was refused: ${code}, request ${response.headers.get('x-request-id') ?? 'unknown'}${advice(response.status, registrationToken)}`);
}

function metadata({ framework: { name, kind }, redirectUri, home }: Application): object {
  return {
    client_name: `${name}, registered by svc-init`,
    application_type: kind === 'native' ? 'native' : 'web',
    redirect_uris: [redirectUri],
    ...(kind === 'native' ? {} : { post_logout_redirect_uris: [`${home}/`] }),
    ...(kind === 'server' ? { backchannel_logout_uri: `${redirectUri.replace(/[^/]*$/, '')}backchannel-logout` } : {}),
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: kind === 'server' ? 'client_secret_basic' : 'none',
    scope: 'openid profile email offline_access',
  };
}

function advice(status: number, token: string | undefined): string {
  if (status !== 401) return '';
  return token
    ? '. The initial access token is unknown, expired or used up: ask the administrator for another'
    : '. It needs an initial access token of the administrator: --registration-token or SVC_DCR_INITIAL_ACCESS_TOKEN';
}

function addressOf(issuer: string): URL {
  let url: URL;
  try {
    url = new URL(issuer);
  } catch {
    throw new InitError('--issuer is no address: https://id.example');
  }
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLocal(url.hostname))) throw new InitError('--issuer needs https');
  return url;
}

/** A tenant is the first label of its host, whatever that host begins with: of https://acme.example the tenant acme is https://acme.acme.example. */
function ofTenant(url: URL, tenant: string | undefined): URL {
  if (!tenant) return url;
  if (!/^[a-z0-9-]{1,63}$/.test(tenant)) throw new InitError('--tenant is no slug: small letters, digits and hyphens');
  if (/^[\d.]+$|^\[/.test(url.hostname)) throw new InitError('--tenant needs the name of a host in --issuer, not a number: http://localhost:8080');
  url.hostname = `${tenant}.${url.hostname}`;
  return url;
}

function isLocal(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127\.0\.0\.1|\[::1\])$/.test(hostname);
}

async function reach(send: Send, address: string, request: RequestInit): Promise<Response> {
  return send(address, { ...request, redirect: 'error' }).catch(() => {
    throw new InitError(`${new URL(address).origin} does not answer`);
  });
}

function shownIssuer(issuer: string): string {
  return /^https?:\/\/[\w.:[\]/-]{1,200}$/.test(issuer) ? issuer : 'another one';
}

function withoutSlash({ href }: URL): string {
  return href.replace(/\/$/, '');
}
