// What an issuer says about itself, while it is away.
import { afterEach, expect, test, vi } from 'vitest';
import { Discovery } from '../src/discovery.js';
import { ISSUER, Issuer } from './issuer.js';

const PATH = '/.well-known/openid-configuration';

afterEach(() => vi.restoreAllMocks());

test('an old document serves through an outage, in which it is asked for once in thirty seconds', async () => {
  const issuer = await Issuer.make();
  const discovery = new Discovery(ISSUER, { fetch: issuer.fetch });
  let now = Date.now();
  vi.spyOn(Date, 'now').mockImplementation(() => now);
  const known = await discovery.metadata();
  now += 61 * 60_000;
  issuer.answers.set(PATH, () => new Response('', { status: 503 }));
  for (let turn = 0; turn < 10; turn += 1) expect(await discovery.metadata()).toBe(known);
  expect(issuer.asks(PATH)).toBe(2);
  now += 31_000;
  issuer.answers.delete(PATH);
  expect(await discovery.metadata()).not.toBe(known);
  expect(issuer.asks(PATH)).toBe(3);
});
