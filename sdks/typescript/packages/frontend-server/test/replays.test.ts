// The store of what counts once, when it is full: nothing that is new may pass for what was there before.
import { createHmac } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { AuthError, MemoryReplayStore, type ReplayStore, verifyWebhook } from '../src/index.js';

const full = { code: 'temporarily_unavailable', status: 503 };

test('a store that is full knows what it has, refuses what is new, and takes it when there is room', () => {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(100_000);
  const store = new MemoryReplayStore(2);
  expect([store.add('one', 60), store.add('two', 120), store.add('one', 60)]).toEqual([true, true, false]);
  expect(() => store.add('three', 60)).toThrow(expect.objectContaining(full));
  clock.mockReturnValue(161_000);
  expect([store.add('three', 60), store.add('two', 60)]).toEqual([true, false]);
  expect(() => store.add('four', 60)).toThrow(AuthError);
  clock.mockRestore();
});

/** Verifies a delivery of this id, which is signed as it must be. */
function delivered(id: string, replays: ReplayStore) {
  const now = 1_800_000_000;
  const parts = ['svc-webhook-v1', String(now), '300', 'user.created', id];
  const signature = createHmac('sha256', 'secret').update(`${parts.join('\n')}\n{}`).digest('hex');
  const [suite = '', timestamp = '', age = '', event = ''] = parts;
  const headers = new Headers({
    'x-svc-signature-suite': suite, 'x-svc-timestamp': timestamp, 'x-svc-signature-max-age': age, 'x-svc-event': event, 'x-svc-delivery': id,
    'x-svc-signature-256': `sha256=${signature}`,
  });
  return verifyWebhook(headers, new TextEncoder().encode('{}'), { secrets: 'secret', replays, now: () => now });
}

test('a delivery that a full store cannot remember is to come again, not taken for done', async () => {
  const replays = new MemoryReplayStore(1);
  const deliver = (id: string) => delivered(id, replays);
  expect(await deliver('d-1')).toMatchObject({ deliveryId: 'd-1' });
  await expect(deliver('d-2')).rejects.toMatchObject(full);
  await expect(deliver('d-1')).rejects.toMatchObject({ code: 'webhook_replay', status: 200 });
});

test('a delivery whose store is out of reach is to come again, and its error says nothing of the store', async () => {
  const away = { add: () => Promise.reject(new Error('redis://user:canary@store')) };
  const error = await delivered('d-1', away).catch((reason: unknown) => reason as AuthError);
  expect(error).toMatchObject({ ...full, message: 'The store of deliveries is out of reach.' });
  expect(JSON.stringify(error)).not.toContain('canary');
});
