// An API that says where its tokens come from (RFC 9728), as clients of MCP expect it.
import { type AccessTokenRules, type VerifiedAccessToken, requireAccessToken } from './access-token.js';
import { DPOP_ALGORITHMS } from './dpop.js';

/** What an MCP server, or any other API, says about itself. */
export interface ResourceServerOptions extends Omit<AccessTokenRules, 'audience' | 'resourceMetadata'> {
  /** Its identifier, which is its address: the audience of its tokens. */
  resource: string;
  name?: string;
  scopes?: string[];
}

/** A resource server: its document, where that stands, and the check of requests. */
export interface ResourceServer {
  /** The address of the document: `/.well-known/oauth-protected-resource` before the path of the API (§3). */
  metadataUrl: string;
  /** The path of that address, for the router. */
  metadataPath: string;
  /** Answers requests for the document. */
  metadata(): Response;
  /** As `requireAccessToken`; `rules` say what this route or tool asks for besides. */
  require(rules?: Partial<AccessTokenRules>): (request: Request) => Promise<VerifiedAccessToken>;
}

/** Makes a resource server. Its challenges name the document, and the scope that was missing. */
export function createResourceServer(options: ResourceServerOptions): ResourceServer {
  const { resource, name, scopes, ...rules } = options;
  const { origin, pathname } = new URL(resource);
  const metadataPath = `/.well-known/oauth-protected-resource${pathname === '/' ? '' : pathname}`;
  const metadataUrl = `${origin}${metadataPath}`;
  const document = {
    resource,
    authorization_servers: [rules.issuer],
    bearer_methods_supported: ['header'],
    // A list without elements is left out (§3.2).
    ...(scopes?.length && { scopes_supported: scopes }),
    ...(name && { resource_name: name }),
    dpop_signing_alg_values_supported: DPOP_ALGORITHMS,
    dpop_bound_access_tokens_required: rules.dpop === 'required',
  };
  const headers = { 'cache-control': 'public, max-age=300', 'access-control-allow-origin': '*' };
  return {
    metadataUrl,
    metadataPath,
    metadata: () => Response.json(document, { headers }),
    require: (more = {}) => requireAccessToken({ origin, ...rules, ...more, audience: resource, resourceMetadata: metadataUrl }),
  };
}
