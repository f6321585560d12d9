// The MCP SDK as client and as server, with the API of docs/frameworks/mcp.md: an MCP server that takes our tokens, and a
// client that comes knowing only its address.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { InvalidTokenError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
import { requireBearerAuth } from '@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js';
import { createMcpExpressApp } from '@modelcontextprotocol/sdk/server/express.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { blocks } from '../../guides.mjs';
import { dev } from './demo.js';
import { Person } from './person.js';

const [API] = blocks('frameworks/mcp.md', 'toml');
const [CHALLENGE] = blocks('frameworks/mcp.md', 'http');
const [, RESOURCE] = /^identifier = "(.*)"$/m.exec(API);
const [, SCOPE] = /name = "(\w+:\w+)"/.exec(API);
// The server names it in its challenges, and the service hosts it.
const [, metadata] = /resource_metadata="(.*)"/.exec(CHALLENGE);
const METADATA = metadata.replace('http://localhost:8080', dev.issuer);
const CALLBACK = 'http://localhost:8767/callback';

/** An MCP server with one tool, which tells whose token it was called with. */
function mcpServer() {
  const keys = createRemoteJWKSet(new URL(`${dev.issuer}/.well-known/jwks.json`));
  const verifier = {
    async verifyAccessToken(token) {
      const options = { issuer: dev.issuer, audience: RESOURCE, typ: 'at+jwt' };
      const verified = await jwtVerify(token, keys, options).catch((error) => {
        throw new InvalidTokenError(error.message);
      });
      const { client_id: clientId, scope, exp: expiresAt, sub, aud } = verified.payload;
      return { token, clientId, scopes: scope.split(' '), expiresAt, resource: new URL(aud), extra: { sub } };
    },
  };
  const app = createMcpExpressApp();
  const guard = requireBearerAuth({
    verifier,
    requiredScopes: [SCOPE],
    resourceMetadataUrl: METADATA,
    expectedResource: new URL(RESOURCE),
  });
  app.post('/mcp', guard, async (request, response) => {
    const server = new McpServer({ name: 'demo', version: '1.0.0' });
    server.registerTool('whoami', { description: 'Tells who calls' }, (extra) => ({
      content: [{ type: 'text', text: JSON.stringify({ sub: extra.authInfo.extra.sub, client: extra.authInfo.clientId }) }],
    }));
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
    response.on('close', () => transport.close());
    await server.connect(transport);
    await transport.handleRequest(request, response, request.body);
  });
  app.get('/mcp', guard, (_, response) => response.status(405).end());
  return app;
}

/** What an MCP client keeps of one authorization. */
class Provider {
  redirectUrl = CALLBACK;
  clientMetadata = {
    client_name: 'MCP test client',
    redirect_uris: [CALLBACK],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };

  constructor(client) {
    this.client = client;
  }

  clientInformation() {
    return this.client;
  }

  saveClientInformation(client) {
    this.client = client;
  }

  tokens() {
    return this.kept;
  }

  saveTokens(tokens) {
    this.kept = tokens;
  }

  saveCodeVerifier(verifier) {
    this.verifier = verifier;
  }

  codeVerifier() {
    return this.verifier;
  }

  redirectToAuthorization(address) {
    this.address = address;
  }
}

/** Comes without a token, is sent to sign in, comes back, and calls the tool. */
async function callTool(provider) {
  const first = new StreamableHTTPClientTransport(new URL(RESOURCE), { authProvider: provider });
  const refused = new Client({ name: 'test', version: '1.0.0' }).connect(first);
  await assert.rejects(refused, UnauthorizedError);
  assert.equal(provider.address.searchParams.get('resource'), RESOURCE);
  assert.equal(provider.address.searchParams.get('code_challenge_method'), 'S256');
  const back = await new Person(dev.user).visit(provider.address, CALLBACK);
  assert.equal(back.searchParams.get('iss'), dev.issuer);
  assert.ok(back.searchParams.get('code'), back.href);
  await first.finishAuth(back.searchParams.get('code'));
  return whoami(provider);
}

async function whoami(provider) {
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(RESOURCE), { authProvider: provider }));
  const result = await client.callTool({ name: 'whoami', arguments: {} });
  await client.close();
  return JSON.parse(result.content[0].text);
}

async function listening(handler, port) {
  const server = createServer(handler);
  await new Promise((resolve) => server.listen(port, 'localhost', resolve));
  return server;
}

describe('the MCP SDK', { concurrency: 1 }, () => {
  let server;
  let documents;

  before(async () => {
    server = await listening(mcpServer(), Number(new URL(RESOURCE).port));
    documents = await listening((request, response) => {
      const id = `http://localhost:8767${request.url}`;
      response.setHeader('content-type', 'application/json').setHeader('cache-control', 'max-age=60');
      response.end(JSON.stringify({ client_id: id, ...new Provider().clientMetadata }));
    }, 8767);
  });

  after(() => {
    for (const each of [server, documents]) {
      each?.closeAllConnections();
      each?.close();
    }
  });

  test('the hosted metadata describes the server that points there', async () => {
    const challenge = (await fetch(RESOURCE, { method: 'POST' })).headers.get('www-authenticate');
    assert.ok(challenge.includes(`resource_metadata="${METADATA}"`), challenge);
    const metadata = await (await fetch(METADATA)).json();
    assert.equal(metadata.resource, RESOURCE);
    assert.deepEqual(metadata.authorization_servers, [dev.issuer]);
    assert.deepEqual(metadata.scopes_supported, [SCOPE]);
  });

  test('an unknown client registers, signs its person in and calls a tool', async () => {
    const provider = new Provider();
    const told = await callTool(provider);
    assert.equal(told.client, provider.client.client_id);
    assert.match(provider.client.client_id, /^app_/);
    assert.equal(provider.kept.scope.split(' ').includes(SCOPE), true);

    if (provider.kept.refresh_token) {
      provider.kept = { ...provider.kept, access_token: 'expired' };
      assert.deepEqual(await whoami(provider), told, 'a refused token is refreshed, for the same person');
    }
  });

  test('a client that is known by a document at its address needs no registration', async () => {
    // The SDK insists on https for an address that it offers by itself; on this machine it is given the identifier.
    const provider = new Provider({ client_id: 'http://localhost:8767/client.json' });
    const told = await callTool(provider);
    assert.equal(told.client, 'http://localhost:8767/client.json');
  });

  test('a token for another resource is not taken', async () => {
    const provider = new Provider();
    provider.kept = { access_token: 'eyJhbGciOiJub25lIn0.e30.', token_type: 'bearer' };
    await assert.rejects(whoami(provider), UnauthorizedError);
  });
});
