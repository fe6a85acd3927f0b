const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'];

/** Formats bytes in units of 1,000, such as `6.58 GB`. */
export function formatBytes(bytes: number): string {
  let [value, unit] = [bytes, 0];
  for (; value >= 999.5 && unit < UNITS.length - 1; unit++) value /= 1000;
  return `${unit === 0 ? value : value.toPrecision(3)} ${UNITS[unit]}`;
}
