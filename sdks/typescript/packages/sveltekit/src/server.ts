// The part that knows nothing of SvelteKit: for APIs, webhooks and MCP servers on `Request` and `Response`.
export * from '@svc/frontend-server';
