// The benchmark's peer: oidc-provider with its in-memory adapter, ES256 everywhere, first-party clients that need no
// consent, and a sign-in page that verifies an Argon2id hash of the same parameters as the service's default.
// It prints one line of JSON when it listens, in the shape of `svc-runtime dev --json`.
import { generateKeyPairSync } from 'node:crypto';
import { hashSync, verify } from '@node-rs/argon2';
import Provider, { errors } from 'oidc-provider';

const ARGON2ID = 2;
const API = 'urn:bench:api';
const port = Number(process.argv[2]);
const issuer = `http://localhost:${port}`;
const person = { username: 'ada', password: 'correct horse battery staple' };
const hashed = hashSync(person.password, {
  algorithm: ARGON2ID,
  memoryCost: Number(process.env.ARGON2_MEMORY_KIB ?? 65536),
  timeCost: Number(process.env.ARGON2_ITERATIONS ?? 2),
  parallelism: 1,
});

// The public key of the client that signs its assertions; the benchmark makes one for each run.
const clientKey = JSON.parse(process.env.CLIENT_JWK);
const redirect_uris = ['http://127.0.0.1:8765/callback'];
const post_logout_redirect_uris = ['http://127.0.0.1:8765/'];
const common = { redirect_uris, post_logout_redirect_uris, response_types: ['code'], id_token_signed_response_alg: 'ES256' };
const clients = [
  {
    ...common,
    client_id: 'public',
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
  },
  {
    ...common,
    client_id: 'confidential',
    client_secret: 'a-machine-made-secret-of-43-characters-long',
    token_endpoint_auth_method: 'client_secret_basic',
    grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
  },
  {
    ...common,
    handle: 'bench-fapi2',
    client_id: 'fapi2',
    redirect_uris: ['https://bench.example/callback'],
    token_endpoint_auth_method: 'private_key_jwt',
    token_endpoint_auth_signing_alg: 'ES256',
    jwks: { keys: [{ ...clientKey, alg: 'ES256', use: 'sig' }] },
    grant_types: ['authorization_code', 'refresh_token'],
    require_pushed_authorization_requests: true,
    dpop_bound_access_tokens: true,
  },
];

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const provider = new Provider(issuer, {
  clients,
  jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig', kid: 'bench' }] },
  cookies: { keys: ['bench-cookie-key'] },
  claims: { openid: ['sub'], profile: ['name'], email: ['email', 'email_verified'] },
  pkce: { required: () => true },
  features: {
    devInteractions: { enabled: false },
    introspection: { enabled: true },
    revocation: { enabled: true },
    clientCredentials: { enabled: true },
    userinfo: { enabled: true },
    dPoP: { enabled: true },
    pushedAuthorizationRequests: { enabled: true },
    fapi: { enabled: true, profile: (_ctx, client) => (client?.clientId === 'fapi2' ? '2.0' : undefined) },
    resourceIndicators: {
      enabled: true,
      defaultResource: (ctx) => (ctx.oidc.params?.grant_type === 'client_credentials' ? API : []),
      getResourceServerInfo: () => ({
        scope: '',
        audience: API,
        accessTokenFormat: 'jwt',
        jwt: { sign: { alg: 'ES256' } },
      }),
    },
  },
  issueRefreshToken: (_ctx, client) => client.grantTypeAllowed('refresh_token'),
  interactions: { url: (_ctx, interaction) => `/interaction/${interaction.uid}` },
  findAccount: (_ctx, sub) => ({
    accountId: sub,
    claims: () => ({ sub, name: 'Ada Lovelace', email: 'ada@example.com', email_verified: true }),
  }),
  async loadExistingGrant(ctx) {
    const { client, session, params, result } = ctx.oidc;
    const known = result?.consent?.grantId ?? session.grantIdFor(client.clientId);
    if (known) return provider.Grant.find(known);
    const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
    grant.addOIDCScope(params.scope);
    await grant.save();
    return grant;
  },
});

provider.use(async (ctx, next) => {
  if (!ctx.path.startsWith('/interaction/')) return next();
  const { uid } = await provider.interactionDetails(ctx.req, ctx.res);
  if (ctx.method === 'GET') {
    ctx.type = 'html';
    ctx.body = page(uid);
    return undefined;
  }
  const form = new URLSearchParams(await body(ctx.req));
  const matches = await verify(hashed, form.get('password') ?? '');
  if (form.get('username') !== person.username || !matches) throw new errors.AccessDenied();
  return provider.interactionFinished(ctx.req, ctx.res, { login: { accountId: person.username, amr: ['pwd'] } });
});

function page(uid) {
  return `<!doctype html><title>Sign in</title><form method="post" action="/interaction/${uid}">
<input type="hidden" name="flow" value="${uid}"><input name="username"><input name="password" type="password">
<button id="login-submit">Sign in</button></form>`;
}

async function body(request) {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
}

const listening = provider.listen(port, '127.0.0.1', () => {
  console.log(JSON.stringify({ issuer, tenant: 'peer', user: person, clients }));
});
process.on('SIGTERM', () => listening.close(() => process.exit(0)).closeAllConnections());
