// The rank tests see what they are for, and nothing where there is nothing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { areToldApart, FALSE_ALARM, leastChance, mannWhitney, quantileTest } from './ranks.js';

test('p-values are those of the tables', () => {
  const range = (from, to) => Array.from({ length: to - from }, (_, n) => from + n);
  // U = 0 of 20 and 20 apart: z = 200 / sqrt(400 * 41 / 12) = 5.41, p = 6.3e-8.
  assert.ok(Math.abs(Math.log10(mannWhitney(range(0, 20), range(20, 40))) - Math.log10(6.3e-8)) < 0.05);
  assert.ok(mannWhitney(range(0, 40), range(0, 40)) > 0.999);
  // Seven ones and three twos against the reverse: U = 30, z with ties is 20 / 11.47 = 1.744, p = 0.0812.
  const mixed = (ones, twos) => [...Array(ones).fill(1), ...Array(twos).fill(2)];
  assert.ok(Math.abs(mannWhitney(mixed(7, 3), mixed(3, 7)) - 0.0812) < 0.0005);
  // All of the lower half on one side: two of the C(40, 20) = 137,846,528,820 ways.
  assert.ok(Math.abs(quantileTest(range(0, 20), range(20, 40), 1 / 2) * 137_846_528_820 - 2) < 1e-6);
  // One of the lowest ten among twenty against nine: twice P(K <= 1) = 2 * (C(20,10) + 20 * C(20,9)) / C(40,10).
  const [low, high] = [[0, ...range(100, 119)], [...range(1, 10), ...range(200, 211)]];
  assert.ok(Math.abs(quantileTest(low, high, 1 / 4) - (2 * (184_756 + 20 * 167_960)) / 847_660_528) < 1e-9);
  assert.ok(quantileTest(range(0, 40), range(0, 40), 1 / 2) > 0.999);
});

test('a fifth more time is seen among 210 of each, with the noise and the outliers of a busy machine', () => {
  const random = seeded(1);
  const seen = runs(50, () => areToldApart(times(random), times(random).map((took) => took * 1.2)));
  assert.ok(seen >= 49, String(seen));
});

test('it is seen even where half of the answers wait in a queue', () => {
  const random = seeded(2);
  const queued = () => times(random, 0.1).map((took) => took + (random() < 0.5 ? 60 * random() : 0));
  const seen = runs(50, () => areToldApart(queued(), queued().map((took) => took * 1.2)));
  assert.ok(seen >= 45, String(seen));
});

test('a delay that only one in three has is seen', () => {
  const random = seeded(3);
  const delayed = () => times(random).map((took, n) => (n % 3 === 0 ? took * 4 : took));
  assert.ok(runs(50, () => areToldApart(times(random), delayed())) >= 49);
});

test('where there is nothing, five hundred comparisons see nothing', () => {
  const random = seeded(4);
  let smallest = 1;
  assert.equal(runs(500, () => {
    const [a, b] = [times(random), times(random)];
    smallest = Math.min(smallest, leastChance(a, b));
    return areToldApart(a, b);
  }), 0);
  assert.ok(smallest > FALSE_ALARM && smallest < 0.02, `the chances are spread as they should be: ${smallest}`);
});

/** How many of `count` runs find something. */
function runs(count, finds) {
  return Array.from({ length: count }, finds).filter(Boolean).length;
}

/** Times of about 3 with some spread, and one in ten held up for anything up to 30. */
function times(random, spread = 0.2) {
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Array.from({ length: 210 }, () => 3 * Math.exp(spread * normal()) + (random() < 0.1 ? 30 * random() : 0));
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
