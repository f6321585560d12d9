import type { SvcError } from './errors.js';
import type { SessionStorage, StorageKind } from './storage.js';

export interface ClientOptions {
  /** The issuer: `https://acme.id.example`. */
  baseURL: string;
  oauth: {
    clientId: string;
    /** A registered redirect URI, of the application's own origin. */
    redirectUri: string;
    /** The scopes of every sign-in; by default `openid profile email offline_access`. */
    scopes?: readonly string[];
    /** The API that access tokens are for by default; without it, the issuer itself. */
    resource?: string;
  };
  /** Where the session is kept; by default in `memory`. */
  storage?: StorageKind | SessionStorage;
  /** Binds tokens to a key that cannot be exported (RFC 9449). */
  dpop?: boolean;
  /**
   * Shows an address to the person and gives the address that came back: for applications without a page of their own. Where others than
   * the service can send one, `isAnswer` tells which of them answers this sign-in.
   */
  open?: (url: string, isAnswer: (back: string) => boolean) => Promise<string>;
  /** Takes the browser to an address; by default `location.assign`. */
  navigate?: (url: string) => void;
  /** The function that sends requests. */
  fetch?: typeof globalThis.fetch;
  /** Whether the other tabs of the origin are part of it: `true` in pages, `false` elsewhere. */
  tabs?: boolean;
}

/** Claims about the person, from the ID token and UserInfo. */
export interface User {
  readonly sub: string;
  readonly name?: string;
  readonly email?: string;
  readonly picture?: string;
  readonly preferred_username?: string;
  readonly [claim: string]: unknown;
}

/** The organization in which the person acts. */
export interface Organization {
  readonly id: string;
  readonly slug: string;
  readonly name?: string;
  readonly roles: readonly string[];
}

/** The state of the session, for an application to show. A new object whenever something changed, the same one otherwise. */
export interface SessionState {
  readonly status: 'loading' | 'signed-in' | 'signed-out';
  readonly user: User | null;
  readonly organization: Organization | null;
  /** The granted scopes. */
  readonly scopes: readonly string[];
  /** How strong the sign-in was: `urn:svc:aal1`, `urn:svc:aal2`. */
  readonly acr: string | null;
  /** Why there is no session any more, or why it could not be kept. */
  readonly error: SvcError | null;
}

export interface LoginOptions {
  /** Scopes in addition to those of `createClient`: consent on demand. */
  scopes?: readonly string[];
  /** The strength that is needed, `['urn:svc:aal2']`: step-up. A weaker sign-in is refused with `acr_not_reached`. */
  acrValues?: readonly string[];
  /** How many seconds ago the person may have signed in, counted from this call. An older sign-in is refused with `max_age_exceeded`. */
  maxAge?: number;
  /** The organization, by id or slug. */
  organization?: string;
  prompt?: 'none' | 'login' | 'consent' | 'select_account' | 'create';
  loginHint?: string;
  uiLocales?: string;
  /** The API that the access token is for; its grant is kept in addition to the others. */
  resource?: string;
  /** Where to go on afterwards, on the application's own origin. */
  returnTo?: string;
  /** Signs in by a window of its own; call it from a click. */
  popup?: boolean;
}

export interface TokenOptions {
  /** The API; by default that of the first sign-in. */
  resource?: string;
  /** Fewer scopes than were granted. */
  scopes?: readonly string[];
  /** Renews even if the token at hand is good. */
  force?: boolean;
}

export interface CallbackResult {
  /** An address of the application's own origin. */
  readonly returnTo: string;
}

export interface Client {
  readonly options: ClientOptions;
  /** Takes the person to the sign-in page. With `popup` or `open` it is done when they are signed in. */
  login(options?: LoginOptions): Promise<void>;
  /** Whether an address is the answer to a sign-in. */
  isCallback(url?: string): boolean;
  /** Ends what `login()` began, once, and takes code and state out of the address bar. */
  handleCallback(url?: string): Promise<CallbackResult>;
  /** Ends the session here, in every tab and at the service. */
  logout(options?: { returnTo?: string; local?: boolean }): Promise<void>;
  /** An access token that is good for at least half a minute. */
  getAccessToken(options?: TokenOptions): Promise<string>;
  /** `fetch` with the access token, and a proof where tokens are bound. A 401 is tried once more with a new token. */
  fetch(input: string | URL, init?: RequestInit, token?: TokenOptions): Promise<Response>;
  /**
   * The organizations of the person; needs a sign-in with `resource: baseURL + '/api'` and the scope `identity:read`. In a browser it is for
   * the origin that the service has as `server.identity_app_origin`; others get `network`, and ask an API of their own.
   */
  organizations(): Promise<Organization[]>;
  /** Goes on in another organization, without a page where that is possible. */
  switchOrganization(organization: string): Promise<void>;
  subscribe(listener: () => void): () => void;
  getSnapshot(): SessionState;
  /** Resolves when the state is no longer `loading`. */
  ready(): Promise<SessionState>;
}
