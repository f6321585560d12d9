// A person with a browser, as far as plain HTML forms need one: cookies, redirects, and the two pages of a sign-in.

export class Person {
  #cookies = new Map();

  constructor({ username, password }) {
    this.username = username;
    this.password = password;
  }

  /** Opens an address and answers pages until the browser would leave for `target`; gives that last address. */
  async visit(start, target) {
    let request = { url: new URL(start) };
    for (let step = 0; step < 12; step += 1) {
      const reply = await this.#send(request);
      const location = reply.headers.get('location');
      if (location) {
        const next = new URL(location, request.url);
        if (next.href.startsWith(target)) return next;
        request = { url: next };
        continue;
      }
      const page = await reply.text();
      if (reply.status !== 200) throw new Error(`${request.url} answered ${reply.status}: ${page.slice(0, 500)}`);
      request = this.#answer(page, request.url);
    }
    throw new Error(`never reached ${target}`);
  }

  async #send({ url, form }) {
    const headers = { cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ') };
    if (form) headers.origin = url.origin;
    const reply = await fetch(url, { method: form ? 'POST' : 'GET', body: form, headers, redirect: 'manual' });
    for (const line of reply.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line);
      if (value === '' || /max-age=0(;|$)/i.test(line)) this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    return reply;
  }

  #answer(page, url) {
    const [, head, inner] = /<form([^>]*method="post"[^>]*)>(.*?)<\/form>/is.exec(page) ?? [];
    if (inner === undefined) throw new Error(`no form at ${url}: ${page.slice(0, 500)}`);
    const inputs = [...inner.matchAll(/<input[^>]*>/gi)].map(([tag]) => tag);
    const form = new URLSearchParams();
    for (const input of inputs.filter((tag) => attribute(tag, 'type') === 'hidden')) {
      form.set(attribute(input, 'name'), attribute(input, 'value') ?? '');
    }
    if (inputs.some((tag) => attribute(tag, 'name') === 'password')) {
      form.set('username', this.username);
      form.set('password', this.password);
    }
    const buttons = [...inner.matchAll(/<button[^>]*>/gi)].map(([tag]) => tag);
    const pressed = buttons.find((tag) => attribute(tag, 'id') === 'consent-allow') ?? buttons[0];
    if (pressed && attribute(pressed, 'name')) form.set(attribute(pressed, 'name'), attribute(pressed, 'value') ?? '');
    return { url: new URL(attribute(head, 'action') ?? url, url), form };
  }
}

function attribute(tag, name) {
  const value = new RegExp(`\\s${name}="([^"]*)"`, 'i').exec(tag)?.[1];
  return value?.replace(/&(#x([0-9a-f]+)|#(\d+)|amp|lt|gt|quot);/gi, (entity, name, hex, decimal) => {
    if (hex) return String.fromCodePoint(Number.parseInt(hex, 16));
    if (decimal) return String.fromCodePoint(Number(decimal));
    return { amp: '&', lt: '<', gt: '>', quot: '"' }[name.toLowerCase()];
  });
}
