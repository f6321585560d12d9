import type { SvcError } from './errors.js';
import type { SessionStorage, StorageKind } from './storage.js';

export interface ClientOptions {
  /** The issuer: `https://acme.id.example`. */
  baseURL: string;
  oauth: {
    clientId: string;
    /** A registered redirect URI, of the application's own origin. */
    redirectUri: string;
    /** What is asked for at every sign-in; `openid profile email offline_access` where nothing is said. */
    scopes?: readonly string[];
    /** The API that access tokens are for where nothing else is said; the issuer itself without it. */
    resource?: string;
  };
  /** Where the session is kept; `memory` where nothing is said. */
  storage?: StorageKind | SessionStorage;
  /** Binds tokens to a key that cannot be exported (RFC 9449). */
  dpop?: boolean;
  /** Shows an address to the person and gives the address that came back: for applications without a page of their own. */
  open?: (url: string) => Promise<string>;
  /** Takes the browser to an address; `location.assign` where nothing is said. */
  navigate?: (url: string) => void;
  /** What requests are sent with. */
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

/** What an application shows. A new object whenever something changed, the same one otherwise. */
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
  /** Scopes beside those of `createClient`: consent on demand. */
  scopes?: readonly string[];
  /** The strength that is needed, `['urn:svc:aal2']`: step-up. A weaker sign-in is refused with `acr_not_reached`. */
  acrValues?: readonly string[];
  maxAge?: number;
  /** The organization, by id or slug. */
  organization?: string;
  prompt?: 'none' | 'login' | 'consent' | 'select_account' | 'create';
  loginHint?: string;
  uiLocales?: string;
  /** The API that the access token is for; its grant is kept beside the others. */
  resource?: string;
  /** Where to go on afterwards, on the application's own origin. */
  returnTo?: string;
  /** Signs in by a window of its own; call it from a click. */
  popup?: boolean;
}

export interface TokenOptions {
  /** The API; that of the first sign-in where nothing is said. */
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
