// A small server of an application's, which keeps what it is sent.
import { createServer } from 'node:http';
import { once } from 'node:events';

export class Receiver {
  #server;
  #waiting = [];
  #kept = [];

  /** Listens on a free port of the loopback interface; answers everything with `status`. */
  static async start(status) {
    const receiver = new Receiver();
    receiver.#server = createServer(async (request, reply) => {
      let body = '';
      for await (const part of request) body += part;
      reply.writeHead(status).end();
      receiver.#keep({ headers: request.headers, body });
    });
    receiver.#server.listen(0, '127.0.0.1');
    await once(receiver.#server, 'listening');
    return receiver;
  }

  /** Its address. */
  get url() {
    return `http://127.0.0.1:${this.#server.address().port}/events`;
  }

  /** What was sent next. */
  async next() {
    return this.#kept.shift() ?? new Promise((resolve) => this.#waiting.push(resolve));
  }

  stop() {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #keep(message) {
    const waits = this.#waiting.shift();
    if (waits) waits(message);
    else this.#kept.push(message);
  }
}
