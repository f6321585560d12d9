// Proofs of possession (RFC 9449). Loaded when it is asked for.
import { keptKey } from './encrypted.js';

const text = new TextEncoder();
const base64url = (bytes: ArrayBuffer | Uint8Array): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes as ArrayBuffer))).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
const hash = async (value: string): Promise<string> => base64url(await crypto.subtle.digest('SHA-256', text.encode(value)));

/** What makes proofs, and remembers the nonces of servers. */
export interface Proofs {
  thumbprint: string;
  make(url: URL, method: string, token?: string): Promise<string>;
  /** Takes the nonce of an answer; says whether the request was refused for want of it. */
  learn(url: URL, response: Response): Promise<boolean>;
}

/** The key of the origin where it can be kept, else one of this page. INVARIANT: the private half cannot be exported. */
export async function proofs(name: string): Promise<Proofs> {
  const generate = () =>
    crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign', 'verify']) as Promise<CryptoKeyPair>;
  const { privateKey, publicKey } = await keptKey(`dpop:${name}`, generate).catch(generate);
  const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', publicKey);
  const nonces = new Map<string, string>();
  return {
    thumbprint: await hash(JSON.stringify({ crv, kty, x, y })),
    async make({ origin, pathname }, htm, token) {
      const header = { alg: 'ES256', typ: 'dpop+jwt', jwk: { kty, crv, x, y } };
      const payload = {
        jti: crypto.randomUUID(),
        htm,
        htu: origin + pathname,
        iat: Math.floor(Date.now() / 1000),
        nonce: nonces.get(origin),
        ath: token && (await hash(token)),
      };
      const signed = [header, payload].map((part) => base64url(text.encode(JSON.stringify(part)))).join('.');
      const signature = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, privateKey, text.encode(signed));
      return `${signed}.${base64url(signature)}`;
    },
    async learn({ origin }, response) {
      const nonce = response.headers.get('dpop-nonce');
      if (!nonce) return false;
      // That another request has learnt it meanwhile does not say that this one was sent with it.
      nonces.set(origin, nonce);
      if (response.status !== 400 && response.status !== 401) return false;
      const said = (response.headers.get('www-authenticate') ?? '') + (await response.clone().text());
      return said.includes('use_dpop_nonce');
    },
  };
}
