import { type Client, SvcError } from '@svc/client';

export async function notes(client: Client) {
  const token = { resource: 'https://api.demo.example', scopes: ['notes:read'] };
  try {
    return await client.fetch('https://api.demo.example/notes', {}, token); // getAccessToken(token) gives the token alone
  } catch (error) {
    if (!(error instanceof SvcError) || !['login_required', 'insufficient_scope'].includes(error.code)) throw error;
    return client.login(token); // consent on demand
  }
}
