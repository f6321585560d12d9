// The rank tests see what they are for, and nothing where there is nothing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { areToldApart, FALSE_ALARM, kolmogorovSmirnov, mannWhitney } from './ranks.js';

test('p-values are those of the tables', () => {
  const range = (from, to) => Array.from({ length: to - from }, (_, n) => from + n);
  // U = 0 of 20 and 20 apart: z = 200 / sqrt(400 * 41 / 12) = 5.41, p = 6.3e-8.
  assert.ok(Math.abs(Math.log10(mannWhitney(range(0, 20), range(20, 40))) - Math.log10(6.3e-8)) < 0.05);
  assert.ok(mannWhitney(range(0, 40), range(0, 40)) > 0.999);
  // Seven ones and three twos against the reverse: U = 30, z with ties is 20 / 11.47 = 1.744, p = 0.0812.
  const mixed = (ones, twos) => [...Array(ones).fill(1), ...Array(twos).fill(2)];
  assert.ok(Math.abs(mannWhitney(mixed(7, 3), mixed(3, 7)) - 0.0812) < 0.0005);
  // D = 0.5 of 40 and 40: Q(2.2361) = 9.08e-5.
  assert.ok(Math.abs(kolmogorovSmirnov(range(0, 40), range(20, 60)) - 9.08e-5) < 1e-6);
  assert.equal(kolmogorovSmirnov(range(0, 40), range(0, 40)), 1);
});

test('a fifth more time is seen among 240 of each, with the noise and the outliers of a busy machine', () => {
  const random = seeded(1);
  for (let run = 0; run < 50; run += 1) {
    const [usual, more] = [times(random, 240), times(random, 240).map((took) => took * 1.2)];
    assert.equal(areToldApart(usual, more), true, `run ${run}`);
  }
});

test('so is a delay that only one in three has', () => {
  const random = seeded(2);
  const some = times(random, 240).map((took, n) => (n % 3 === 0 ? took * 4 : took));
  assert.equal(areToldApart(times(random, 240), some), true);
});

test('where there is nothing, five hundred comparisons see nothing', () => {
  const random = seeded(3);
  let alarms = 0;
  let smallest = 1;
  for (let run = 0; run < 500; run += 1) {
    const [a, b] = [times(random, 240), times(random, 240)];
    if (areToldApart(a, b)) alarms += 1;
    smallest = Math.min(smallest, mannWhitney(a, b));
  }
  assert.equal(alarms, 0);
  assert.ok(smallest > FALSE_ALARM && smallest < 0.01, `p-values are spread as they should be: ${smallest}`);
});

/** Times of about 3 with a fifth of spread, and one in ten held up for anything up to 30. */
function times(random, count) {
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Array.from({ length: count }, () => 3 * Math.exp(0.2 * normal()) + (random() < 0.1 ? 30 * random() : 0));
}

/** Numbers that are the same in every run (mulberry32). */
function seeded(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
