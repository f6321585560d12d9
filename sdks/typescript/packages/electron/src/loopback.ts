// The redirect of a native application (RFC 8252 §7.3): a port of 127.0.0.1 that listens while a person signs in.
import { type Server, createServer } from 'node:http';

export interface Loopback {
  redirectUri: string;
  /** The address that the browser comes back with. INVARIANT: what is no answer to the sign-in does not end it. */
  answer(isAnswer: (address: string) => boolean): Promise<string>;
  close(): void;
}

/** What a person sees who comes back to a sign-in that is not the present one. */
const STRANGE = 'This is not the answer to the sign-in that the application waits for. Go back to the application and sign in again.';

/** Listens on a free port. INVARIANT: it takes one callback, to its own host and path, and nothing else. */
export function listen(page: string, patience: number): Promise<Loopback> {
  return new Promise((resolve, reject) => {
    let redirectUri = '';
    let isAnswer = (_: string): boolean => false;
    let done = (_: string): void => {};
    let fail = (_: Error): void => {};
    const answer = new Promise<string>((resolve, reject) => {
      done = resolve;
      fail = reject;
    });
    answer.catch(() => {});
    const server: Server = createServer((request, response) => {
      // Every page in the browser can ask here: an address that is none must not end the application.
      const path = request.url ?? '';
      const url = new URL(URL.canParse(path, redirectUri) ? path : '/', redirectUri);
      response.setHeader('connection', 'close');
      response.setHeader('cache-control', 'no-store');
      response.setHeader('referrer-policy', 'no-referrer');
      response.setHeader('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'");
      const isOurs = request.method === 'GET' && request.headers.host === new URL(redirectUri).host && url.pathname === '/callback';
      // Who does not know the state has not seen the sign-in: neither a code nor an error of theirs counts.
      const isTaken = isOurs && isAnswer(url.href);
      response.statusCode = isTaken ? 200 : isOurs ? 400 : 404;
      response.setHeader('content-type', `text/${isTaken ? 'html' : 'plain'}; charset=utf-8`);
      response.end(isTaken ? page : isOurs ? STRANGE : '');
      if (isTaken) response.on('close', () => done(url.href));
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
      resolve({
        redirectUri,
        answer(judge) {
          isAnswer = judge;
          return answer;
        },
        close,
      });
    });
  });
}
