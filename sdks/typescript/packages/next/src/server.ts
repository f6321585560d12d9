// The part that knows nothing of Next.js: for APIs, webhooks and MCP servers on `Request` and `Response`.
export * from '@svc/frontend-server';
