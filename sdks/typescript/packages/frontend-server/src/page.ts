// The page of a sign-in that failed, where the application has none of its own.
import type { AuthError } from './error.js';

/** Says what happened and offers another try. */
export function errorPage({ code, message, requestId, status }: AuthError, again: string): Response {
  const refused = code === 'access_denied';
  const title = refused ? 'You did not allow it' : 'Signing in failed';
  const request = requestId ? `<p><small>Request ${escaped(requestId)}</small></p>` : '';
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><main><h1>${title}</h1><p id="svc-error" data-code="${escaped(code)}">${escaped(message)}</p>${request}
<p><a id="svc-again" href="${escaped(again)}">Sign in</a></p></main></html>`;
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
    'referrer-policy': 'no-referrer',
  };
  return new Response(html, { status: status >= 400 ? status : 400, headers });
}

function escaped(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  return text.replace(/[&<>"']/g, (character) => entities[character]!);
}
