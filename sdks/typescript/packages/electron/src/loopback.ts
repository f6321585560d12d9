// The redirect of a native application (RFC 8252 §7.3): a port of 127.0.0.1 that listens while a person signs in.
import { type Server, createServer } from 'node:http';

export interface Loopback {
  redirectUri: string;
  /** The address that the browser came back with. */
  callback: Promise<string>;
  close(): void;
}

/** Listens on a free port. INVARIANT: it answers one callback, to its own host and path, and nothing else. */
export function listen(page: string, patience: number): Promise<Loopback> {
  return new Promise((resolve, reject) => {
    let redirectUri = '';
    let done = (_: string): void => {};
    let fail = (_: Error): void => {};
    const callback = new Promise<string>((resolve, reject) => {
      done = resolve;
      fail = reject;
    });
    callback.catch(() => {});
    const server: Server = createServer((request, response) => {
      const url = new URL(request.url ?? '/', redirectUri);
      response.setHeader('connection', 'close');
      response.setHeader('cache-control', 'no-store');
      response.setHeader('referrer-policy', 'no-referrer');
      response.setHeader('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'");
      const isOurs = request.method === 'GET' && request.headers.host === new URL(redirectUri).host && url.pathname === '/callback' && url.searchParams.has('state');
      response.statusCode = isOurs ? 200 : 404;
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.end(isOurs ? page : '');
      if (isOurs) response.on('close', () => done(url.href));
    });
    const timer = setTimeout(() => close(), patience);
    const close = (): void => {
      clearTimeout(timer);
      server.close();
      fail(new Error('closed'));
    };
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      redirectUri = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/callback`;
      resolve({ redirectUri, callback, close });
    });
  });
}
