// Whether two samples come from one distribution: rank tests, which a busy machine's outliers do not impress.

/** Chance that one of the two tests calls two samples different although they are not. */
export const FALSE_ALARM = 1e-5;

/** Whether either test tells the samples apart; between them they see a shift and a change of shape. */
export function areToldApart(a, b) {
  return Math.min(mannWhitney(a, b), kolmogorovSmirnov(a, b)) < FALSE_ALARM / 2;
}

/** Two-sided p-value of the Mann–Whitney U test, by the normal approximation with correction for ties. */
export function mannWhitney(a, b) {
  const all = [...a.map((value) => ({ value, isA: true })), ...b.map((value) => ({ value, isA: false }))];
  all.sort((left, right) => left.value - right.value);
  let [ranksOfA, ties] = [0, 0];
  for (let start = 0, end; start < all.length; start = end) {
    for (end = start; end < all.length && all[end].value === all[start].value; ) end += 1;
    const equal = end - start;
    // Equal values share the mean of their ranks.
    ranksOfA += ((start + 1 + end) / 2) * all.slice(start, end).filter(({ isA }) => isA).length;
    ties += equal ** 3 - equal;
  }
  const [n, m, total] = [a.length, b.length, all.length];
  const u = ranksOfA - (n * (n + 1)) / 2;
  const variance = ((n * m) / 12) * (total + 1 - ties / (total * (total - 1)));
  return variance === 0 ? 1 : normalTails(Math.abs(u - (n * m) / 2) / Math.sqrt(variance));
}

/** p-value of the two-sample Kolmogorov–Smirnov test, by its limiting distribution. */
export function kolmogorovSmirnov(a, b) {
  const [x, y] = [[...a].sort((l, r) => l - r), [...b].sort((l, r) => l - r)];
  let [i, j, farthest] = [0, 0, 0];
  while (i < x.length && j < y.length) {
    const value = Math.min(x[i], y[j]);
    while (x[i] === value) i += 1;
    while (y[j] === value) j += 1;
    farthest = Math.max(farthest, Math.abs(i / x.length - j / y.length));
  }
  const scaled = farthest * Math.sqrt((x.length * y.length) / (x.length + y.length));
  if (scaled < 0.3) return 1;
  let p = 0;
  for (let k = 1; k <= 100; k += 1) p += 2 * (-1) ** (k - 1) * Math.exp(-2 * (k * scaled) ** 2);
  return Math.min(1, Math.max(0, p));
}

/** Both tails of the normal distribution beyond `z` (Abramowitz and Stegun 26.2.17, good to 7.5e-8). */
function normalTails(z) {
  // Where the approximation's own error would count, Mills' ratio bounds the tails from above.
  if (z > 4) return (2 * Math.exp((-z * z) / 2)) / (z * Math.sqrt(2 * Math.PI));
  const t = 1 / (1 + 0.2316419 * z);
  const series = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return (2 * series * Math.exp((-z * z) / 2)) / Math.sqrt(2 * Math.PI);
}
