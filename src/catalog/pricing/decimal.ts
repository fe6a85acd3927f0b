/** Exact decimals for prices: an integer number of billionths, so that no sum or product uses floating point. */

const SCALE = 9;
export const ONE = 10n ** BigInt(SCALE);
const DECIMAL = /^(\d{1,12})(?:\.(\d{1,9}))?$/;

/**
 * Parses a non-negative decimal string with at most nine decimals into billionths. @throws RangeError for anything
 * else.
 */
export function parseDecimal(text: string): bigint {
  const match = DECIMAL.exec(text);
  if (match === null) throw new RangeError(`expected a decimal with at most nine decimals, found "${text}"`);
  return BigInt(match[1] as string) * ONE + BigInt((match[2] ?? '').padEnd(SCALE, '0'));
}

/** Converts a measured number to billionths, rounded to the nearest. */
export function decimalOf(number: number): bigint {
  return Number.isSafeInteger(number) ? BigInt(number) * ONE : parseDecimal(number.toFixed(SCALE));
}

/** Formats billionths as a decimal string with at least `least` decimals and no trailing zeros beyond them. */
export function formatDecimal(value: bigint, least: number): string {
  return formatScaled(value, SCALE, least);
}

/** Formats the product of two numbers of billionths in the same way, with all its decimals. */
export function formatProduct(value: bigint, least: number): string {
  return formatScaled(value, 2 * SCALE, least);
}

function formatScaled(value: bigint, scale: number, least: number): string {
  const digits = value.toString().padStart(scale + 1, '0');
  const decimals = digits.slice(-scale).replace(/0+$/, '').padEnd(least, '0');
  return decimals === '' ? digits.slice(0, -scale) : `${digits.slice(0, -scale)}.${decimals}`;
}

/** Divides non-negative numbers, rounding half up. */
export function divideHalfUp(dividend: bigint, divisor: bigint): bigint {
  return (2n * dividend + divisor) / (2n * divisor);
}
