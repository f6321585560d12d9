// The running development server (SVC_DEV), applications of our own there, and a browser without scripts.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
// @ts-expect-error: a script of the repository
import { Person } from '../../../../../tests/clients/node/person.js';

export { Person };

interface Dev {
  issuer: string;
  tenant_id: string;
  user: { username: string; password: string };
}

export const dev: Dev | undefined = process.env['SVC_DEV'] ? JSON.parse(process.env['SVC_DEV']) : undefined;

/** An HTTP server before a function of `Request` and `Response`, on a free port of this machine. */
export class Site {
  readonly origin: string;
  answer: (request: Request) => Promise<Response> = async () => new Response('not ready', { status: 503 });
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  }

  static async start(): Promise<Site> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
    const site = new Site(server);
    server.on('request', async (incoming, outgoing) => {
      const body: Buffer[] = [];
      for await (const part of incoming) body.push(part);
      const { method = 'GET' } = incoming;
      const headers = Object.entries(incoming.headersDistinct).flatMap(([name, values]) => values!.map((value): [string, string] => [name, value]));
      const init: RequestInit = { method, headers };
      if (body.length > 0) init.body = Buffer.concat(body);
      const reply = await site.answer(new Request(`${site.origin}${incoming.url}`, init)).catch((error) => new Response(String(error), { status: 500 }));
      outgoing.writeHead(reply.status, { ...Object.fromEntries(reply.headers), 'set-cookie': reply.headers.getSetCookie() });
      outgoing.end(Buffer.from(await reply.arrayBuffer()));
    });
    return site;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

/** Registers an application (RFC 7591), which the development server allows without a token. */
export async function register(metadata: Record<string, unknown>): Promise<{ client_id: string; client_secret: string }> {
  const reply = await fetch(`${dev!.issuer}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token_endpoint_auth_method: 'client_secret_basic', grant_types: ['authorization_code', 'refresh_token'], ...metadata }),
  });
  if (reply.status !== 201) throw new Error(`${reply.status} ${await reply.text()}`);
  return reply.json();
}

/** A browser's cookies at one site, for requests without redirects. */
export class Browser {
  readonly jar = new Map<string, string>();

  get cookie(): string {
    return [...this.jar].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  async open(url: string, init: RequestInit & { headers?: Record<string, string> } = {}): Promise<Response> {
    const reply = await fetch(url, { redirect: 'manual', ...init, headers: { accept: 'text/html', cookie: this.cookie, ...init.headers } });
    for (const line of reply.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/max-age=0(;|$)/i.test(line)) this.jar.delete(name);
      else this.jar.set(name, value);
    }
    return reply;
  }
}
