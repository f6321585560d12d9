// Deliveries of events, verified as docs/how-to/webhooks.md says: before anything in them is read.
import { hex, isSame, utf8 } from './bytes.js';
import { AuthError } from './error.js';
import { type ReplayStore, isNew } from './replays.js';

const SUITE = 'svc-webhook-v1';
const LARGEST = 1024 * 1024;

/** Why a delivery was refused. */
export type WebhookRefusal = 'suite' | 'header' | 'signature' | 'timestamp' | 'replay';

export interface WebhookOptions {
  /** The secret of the subscription, and while it is being replaced the new one too. */
  secrets: string | string[];
  /** Where deliveries are remembered, to take each once. */
  replays?: ReplayStore;
  /** How old a signature may be at most, in seconds, whatever the sender says; 300. */
  maxAgeSecs?: number;
  /** Unix time in seconds, for tests. */
  now?: () => number;
}

/** A delivery that has been verified. */
export interface Delivery {
  event: string;
  /** The same in each attempt. */
  deliveryId: string;
  /** The envelope: `id`, `type`, `created_at`, `tenant_id`, `data`. */
  payload(): { id: string; type: string; api_version: string; created_at: string; tenant_id: string; data: Record<string, unknown> };
}

/** Verifies the header fields and the body, byte for byte, of one delivery; throws an `AuthError` with the code `webhook_<refusal>`. */
export async function verifyWebhook(headers: Headers, body: Uint8Array, options: WebhookOptions): Promise<Delivery> {
  const value = (name: string) => headers.get(`x-svc-${name}`) ?? '';
  if (value('signature-suite') !== SUITE) throw refuse('suite');
  const [timestamp, maxAge, event, deliveryId] = ['timestamp', 'signature-max-age', 'event', 'delivery'].map(value) as [string, string, string, string];
  if (!timestamp || !maxAge || !event || !deliveryId || !value('signature-256')) throw refuse('header');
  if (!/^\d{1,12}$/.test(timestamp) || !/^\d{1,9}$/.test(maxAge)) throw refuse('header');
  const signed = joined(utf8([SUITE, timestamp, maxAge, event, deliveryId, ''].join('\n')), body);
  if (!(await isSigned(signed, value('signature-256'), options.secrets))) throw refuse('signature');
  const window = Math.min(Number(maxAge), options.maxAgeSecs ?? 300);
  const now = options.now?.() ?? Date.now() / 1_000;
  if (!(Math.abs(now - Number(timestamp)) <= window)) throw refuse('timestamp');
  if (options.replays && !(await isNew(options.replays, `webhook:${deliveryId}`, 2 * window, 'deliveries'))) throw refuse('replay');
  return { event, deliveryId, payload: () => JSON.parse(new TextDecoder().decode(body)) };
}

/** Reads a request and verifies it: `POST` with `application/json` only, and no more than a mebibyte. */
export async function receiveWebhook(request: Request, options: WebhookOptions): Promise<Delivery> {
  if (request.method !== 'POST') throw new AuthError('method_not_allowed', 'Deliveries are posted.', { status: 405, headers: { allow: 'POST' } });
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/json *(;|$)/i.test(type)) throw new AuthError('unsupported_media_type', 'Deliveries are JSON.', { status: 415 });
  return verifyWebhook(request.headers, await readBody(request, LARGEST), options);
}

/** The body of a request, if it is not longer. */
export async function readBody(request: Request, most: number): Promise<Uint8Array> {
  let body = new Uint8Array();
  const reader = request.body?.getReader();
  while (reader) {
    const { done, value } = await reader.read();
    if (done) break;
    if (body.length + value.length > most) {
      void reader.cancel().catch(() => {});
      throw new AuthError('too_large', `The body has more than ${most} bytes.`, { status: 413 });
    }
    body = joined(body, value);
  }
  return body;
}

async function isSigned(signed: Uint8Array<ArrayBuffer>, field: string, secrets: string | string[]): Promise<boolean> {
  let found = false;
  for (const secret of [secrets].flat().filter(Boolean)) {
    const key = await crypto.subtle.importKey('raw', utf8(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
    const expected = `sha256=${hex(new Uint8Array(await crypto.subtle.sign('HMAC', key, signed)))}`;
    for (const given of field.split(',').slice(0, 4)) if (isSame(given.trim(), expected)) found = true;
  }
  return found;
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(one.length + other.length);
  whole.set(one);
  whole.set(other, one.length);
  return whole;
}

function refuse(refusal: WebhookRefusal): AuthError {
  return new AuthError(`webhook_${refusal}`, `The delivery was refused for its ${refusal}.`, { status: refusal === 'replay' ? 200 : 400 });
}
