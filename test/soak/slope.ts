/** How fast a figure grows, per minute, with the interval that holds the true slope in 95 of 100 cases. */
export interface Slope {
  readonly perMinute: number;
  readonly low: number;
  readonly high: number;
}

/** Quantiles of Student's t for 95 %, by degrees of freedom; beyond them the normal distribution's. */
const T_95 = [12.71, 4.3, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.2, 2.18, 2.16, 2.14, 2.13, 2.12, 2.11, 2.1];
const NORMAL_95 = 1.96;
/**
 * Neighbouring samples resemble one another, and would make the interval look narrower than it is: each part counts as
 * one.
 */
const PARTS = 12;

/**
 * Ordinary least squares through the medians of twelve equal parts of the samples.
 * @throws Error with fewer than 24 samples
 */
export function slopeOf(samples: readonly { readonly minute: number; readonly value: number }[]): Slope {
  if (samples.length < PARTS * 2) throw new Error(`${samples.length} samples are too few for a slope`);
  const size = samples.length / PARTS;
  const points = Array.from({ length: PARTS }, (_, part) => {
    const own = samples.slice(Math.round(part * size), Math.round((part + 1) * size));
    return { x: middleOf(own.map(({ minute }) => minute)), y: middleOf(own.map(({ value }) => value)) };
  });
  const meanX = meanOf(points.map(({ x }) => x));
  const meanY = meanOf(points.map(({ y }) => y));
  const spread = sumOf(points.map(({ x }) => (x - meanX) ** 2));
  const perMinute = sumOf(points.map(({ x, y }) => (x - meanX) * (y - meanY))) / spread;
  const rest = sumOf(points.map(({ x, y }) => (y - meanY - perMinute * (x - meanX)) ** 2));
  const freedom = PARTS - 2;
  const margin = (T_95[freedom - 1] ?? NORMAL_95) * Math.sqrt(rest / freedom / spread);
  return { perMinute, low: perMinute - margin, high: perMinute + margin };
}

function middleOf(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

function meanOf(values: readonly number[]): number {
  return sumOf(values) / values.length;
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
