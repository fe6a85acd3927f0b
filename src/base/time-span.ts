const UNITS = [
  { name: 'hour', ms: 3_600_000 },
  { name: 'minute', ms: 60_000 },
  { name: 'second', ms: 1_000 },
] as const;

/** Formats a duration in the largest unit it fills, for example `6 hours`, `1.5 minutes`, `12 seconds`. */
export function describeSpan(ms: number): string {
  const unit = UNITS.find((one) => ms >= one.ms) ?? UNITS[2];
  const amount = Math.round((ms / unit.ms) * 10) / 10;
  return `${amount} ${unit.name}${amount === 1 ? '' : 's'}`;
}
