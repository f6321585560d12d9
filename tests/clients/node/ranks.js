// Whether two samples come from one distribution: rank tests, which a busy machine's outliers do not impress.

/** Chance that samples of one distribution are told apart, at most. */
export const FALSE_ALARM = 4e-5;
/** The faster part of the answers of a busy machine tells more than the slower one, whose times are those of the queue. */
const SHARES = [1 / 16, 1 / 8, 1 / 4, 1 / 2, 3 / 4];

/** Whether any of the tests tells the samples apart; between them they see a shift and a change of shape. */
export function areToldApart(a, b) {
  return leastChance(a, b) < FALSE_ALARM;
}

/** The smallest p-value of all tests, times their number. */
export function leastChance(a, b) {
  const chances = [mannWhitney(a, b), ...SHARES.map((share) => quantileTest(a, b, share))];
  return Math.min(1, chances.length * Math.min(...chances));
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

/** Two-sided p-value of the quantile test: how many of `a` are among the lowest `share` of all (hypergeometric). */
export function quantileTest(a, b, share) {
  const all = [...a, ...b].sort((left, right) => left - right);
  const cut = all[Math.max(0, Math.floor(share * all.length) - 1)];
  const below = (sample) => sample.filter((value) => value <= cut).length;
  const [lowest, found] = [below(all), below(a)];
  const tail = (from, to) => {
    let sum = 0;
    for (let k = Math.max(from, 0, lowest - b.length); k <= Math.min(to, a.length, lowest); k += 1) {
      sum += Math.exp(logChoose(a.length, k) + logChoose(b.length, lowest - k) - logChoose(all.length, lowest));
    }
    return sum;
  };
  return Math.min(1, 2 * Math.min(tail(0, found), tail(found, lowest)));
}

const logFactorials = [0];

function logChoose(n, k) {
  for (let m = logFactorials.length; m <= n; m += 1) logFactorials.push(logFactorials[m - 1] + Math.log(m));
  return logFactorials[n] - logFactorials[k] - logFactorials[n - k];
}

/** Both tails of the normal distribution beyond `z` (Abramowitz and Stegun 26.2.17, good to 7.5e-8). */
function normalTails(z) {
  // Where the approximation's own error would count, Mills' ratio bounds the tails from above.
  if (z > 4) return (2 * Math.exp((-z * z) / 2)) / (z * Math.sqrt(2 * Math.PI));
  const t = 1 / (1 + 0.2316419 * z);
  const series = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return (2 * series * Math.exp((-z * z) / 2)) / Math.sqrt(2 * Math.PI);
}
