// Cookies of the application (RFC 6265): read, written, and cut into pieces that browsers take.

/** A cookie to set; `maxAge` 0 removes it. */
export interface CookieChange {
  name: string;
  value: string;
  maxAge: number;
}

/** Browsers take 4,096 bytes with name and attributes. */
const LARGEST_PIECE = 3_700;
/** Together they stay under what servers take as header fields. */
const MOST_PIECES = 4;

/** Cookies of one application: `__Host-` and `Secure` over TLS, plain on this machine without. */
export class Cookies {
  readonly isSecure: boolean;
  readonly #prefix: string;

  /** For the application at this address, below this path. */
  constructor({ protocol, port }: URL, basePath = '') {
    this.isSecure = protocol === 'https:';
    // All ports of a host have the same cookies (RFC 6265 §8.5), and so have all paths where the name begins with `__Host-`: applications
    // next to each other keep theirs apart.
    const start = this.isSecure ? '__Host-' : port && `${port}-`;
    this.#prefix = `${start}${basePath && `${inName(basePath)}-`}`;
  }

  /** The name as browsers see it. */
  named(name: string): string {
    return `${this.#prefix}${name}`;
  }

  /** The `Set-Cookie` field of a change. */
  serialized({ name, value, maxAge }: CookieChange): string {
    return `${name}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${this.isSecure ? '; Secure' : ''}`;
  }

  /** The value that was cut into pieces, if every piece is there. */
  joined(jar: ReadonlyMap<string, string>, name: string): string | undefined {
    const [, count, first] = /^([1-9])~(.+)$/.exec(jar.get(this.#piece(name, 0)) ?? '') ?? [];
    if (first === undefined || Number(count) > MOST_PIECES) return undefined;
    let value = first;
    for (let at = 1; at < Number(count); at += 1) {
      const piece = jar.get(this.#piece(name, at));
      if (piece === undefined || piece.length > LARGEST_PIECE) return undefined;
      value += piece;
    }
    return value;
  }

  /** Cuts a value into pieces, and removes those of a longer one before it. Nothing, if it is too long. */
  cut(jar: ReadonlyMap<string, string>, name: string, value: string, maxAge: number): CookieChange[] | undefined {
    const count = Math.max(1, Math.ceil((value.length + 2) / LARGEST_PIECE));
    if (count > MOST_PIECES) return undefined;
    const whole = `${count}~${value}`;
    const changes = this.removed(jar, name).filter((change) => !this.#isWithin(change.name, name, count));
    for (let at = 0; at < count; at += 1) {
      changes.push({ name: this.#piece(name, at), value: whole.slice(at * LARGEST_PIECE, (at + 1) * LARGEST_PIECE), maxAge });
    }
    return changes;
  }

  /** Removes every piece of a value. */
  removed(jar: ReadonlyMap<string, string>, name: string): CookieChange[] {
    const start = `${this.named(name)}.`;
    return [...jar.keys()].filter((one) => one.startsWith(start)).map((one) => ({ name: one, value: '', maxAge: 0 }));
  }

  #piece(name: string, at: number): string {
    return `${this.named(name)}.${at}`;
  }

  #isWithin(piece: string, name: string, count: number): boolean {
    return Array.from({ length: count }, (_, at) => this.#piece(name, at)).includes(piece);
  }
}

/** A path in the letters of a cookie's name (RFC 6265 §4.1.1): another one for every path, and none of our names. */
function inName(path: string): string {
  const escaped = (letter: string) => `_${letter.charCodeAt(0).toString(16).padStart(2, '0')}`;
  return path.slice(1).replace(/[^A-Za-z0-9/-]/g, escaped).replaceAll('/', '~');
}

/** The cookies of a `Cookie` field. */
export function parseCookies(field: string | null | undefined): Map<string, string> {
  const jar = new Map<string, string>();
  for (const part of (field ?? '').split(';')) {
    const at = part.indexOf('=');
    if (at > 0 && !jar.has(part.slice(0, at).trim())) jar.set(part.slice(0, at).trim(), part.slice(at + 1).trim());
  }
  return jar;
}

/** A `Cookie` field after changes, for what reads the same request later. */
export function changedCookies(field: string | null | undefined, changes: CookieChange[]): string {
  const jar = parseCookies(field);
  for (const { name, value, maxAge } of changes) {
    if (maxAge > 0) jar.set(name, value);
    else jar.delete(name);
  }
  return [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
}
