// What every runtime has to be able to do: sign in, renew with proofs, and sign out, against a server in memory.
import { createClient } from '@svc/client';
import { CLIENT, ISSUER, REDIRECT, Server } from './server.js';

const server = new Server();
server.expiresIn = 1;
const client = createClient({
  baseURL: ISSUER,
  oauth: { clientId: CLIENT, redirectUri: REDIRECT },
  dpop: true,
  fetch: server.fetch,
  open: async (address) => server.allow(address),
});
await client.login();
const { status, user } = client.getSnapshot();
const token = await client.getAccessToken();
const proofs = server.sent.filter(({ headers }) => headers.has('dpop')).length;
await client.logout();
const seen = [status, user?.sub, token.startsWith('access-'), server.refreshes(), proofs > 1, client.getSnapshot().status];
console.log(JSON.stringify(seen));
