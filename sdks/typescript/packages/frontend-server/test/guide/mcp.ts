import { AuthError, createResourceServer } from '@svc/next/server';

const server = createResourceServer({
  issuer: 'https://id.example',
  resource: 'https://tools.example/mcp',
  tenantId: 'tnt_1',
  scopes: ['tools:use'],
});
const authorize = server.require({ scope: 'tools:use' });

export async function answer(request: Request) {
  if (new URL(request.url).pathname === server.metadataPath) return server.metadata();
  try {
    const { claims } = await authorize(request);
    return Response.json({ jsonrpc: '2.0', id: 1, result: { caller: claims.sub } });
  } catch (error) {
    if (error instanceof AuthError) return error.toResponse(); // its challenge leads to the document
    throw error;
  }
}
