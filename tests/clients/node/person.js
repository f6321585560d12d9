// A person with a browser, as far as plain HTML forms need one: cookies, redirects, sign-in and buttons.
import { once } from 'node:events';
import { request as send } from 'node:http';
import { text } from 'node:stream/consumers';

/** What a browser says when a person opens a page; `fetch` would say that a script asks. */
const NAVIGATION = {
  accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
  'sec-fetch-dest': 'document',
  'sec-fetch-mode': 'navigate',
};

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
      const reached = await this.#follow(request, target);
      if (!reached.html) return reached.url;
      const button = reached.html.includes('id="consent-allow"') ? 'consent-allow' : undefined;
      request = this.#filled(reached, button);
    }
    throw new Error(`never reached ${target}`);
  }

  /** Opens an address of an application and answers pages on the way, until one has nothing to send. */
  async arrive(start) {
    let page = await this.look(start);
    for (let step = 0; step < 12 && /<form[^>]*method="post"/i.test(page.html); step += 1) {
      page = await this.#follow(this.#filled(page));
    }
    return page;
  }

  /** Opens a page, whatever it asks. */
  look(address) {
    return this.#follow({ url: new URL(address) });
  }

  /** Opens a page, and signs in on the way to it where that is asked for. */
  async open(address) {
    const page = await this.look(address);
    return page.html.includes('id="login-submit"') ? this.press(page, 'login-submit') : page;
  }

  /** Presses the button with this id, with `typed` in the fields of its form; gives the page that follows. */
  async press(page, id, typed = {}) {
    return this.#follow(this.#filled(page, id, typed));
  }

  /**
   * Goes where redirects lead, until there is a page or the browser would leave for `target`: also by the link that
   * stands before an error for an application that registered itself.
   */
  async #follow(request, target) {
    for (let step = 0; step < 12; step += 1) {
      const reply = await this.#send(request);
      const { location } = reply.headers;
      const html = await text(reply);
      if (!location) {
        const left = target && leaving(html);
        if (left?.startsWith(target)) return { url: new URL(left) };
        if (reply.statusCode !== 200) throw new Error(`${request.url} answered ${reply.statusCode}: ${html.slice(0, 500)}`);
        return { url: request.url, html };
      }
      request = { url: new URL(location, request.url) };
      if (target && request.url.href.startsWith(target)) return request;
    }
    throw new Error(`${request.url}: one redirect after another`);
  }

  async #send({ url, form }) {
    const headers = { ...NAVIGATION, cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ') };
    if (form) Object.assign(headers, { origin: url.origin, 'content-type': 'application/x-www-form-urlencoded' });
    const request = send(url, { method: form ? 'POST' : 'GET', headers });
    request.end(form?.toString());
    const [reply] = await once(request, 'response');
    for (const line of reply.headers['set-cookie'] ?? []) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line);
      if (value === '' || /max-age=0(;|$)/i.test(line)) this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    return reply;
  }

  /** The form with this button, or the first one with its first button, as the browser would send it. */
  #filled({ url, html }, id, typed = {}) {
    const forms = [...html.matchAll(/<form([^>]*method="post"[^>]*)>(.*?)<\/form>/gis)];
    const [, head, inner] = forms.find(([, , content]) => !id || content.includes(`id="${id}"`)) ?? [];
    if (inner === undefined) throw new Error(`no form ${id ?? ''} at ${url}: ${html.slice(0, 500)}`);
    const form = new URLSearchParams();
    for (const [input] of inner.matchAll(/<input[^>]*>/gi)) {
      const name = attribute(input, 'name');
      const known = { username: this.username, password: this.password, ...typed };
      if (name) form.set(name, known[name] ?? attribute(input, 'value') ?? '');
    }
    const buttons = [...inner.matchAll(/<button[^>]*>/gi)].map(([tag]) => tag);
    const pressed = buttons.find((tag) => attribute(tag, 'id') === id) ?? buttons[0];
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

/** Where the link of a page leads that stands before an application that no one has checked. */
function leaving(html) {
  const [link] = /<a[^>]*id="leave-link"[^>]*>/i.exec(html) ?? [];
  return link && attribute(link, 'href');
}
