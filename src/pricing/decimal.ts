/** Exact decimals for prices: a whole number of billionths, so that no sum or product passes through a float. */

const SCALE = 9;
export const ONE = 10n ** BigInt(SCALE);
const DECIMAL = /^(\d{1,12})(?:\.(\d{1,9}))?$/;

/** Billionths of a non-negative decimal string with at most nine decimals. @throws RangeError for anything else. */
export function parseDecimal(text: string): bigint {
  const match = DECIMAL.exec(text);
  if (match === null) throw new RangeError(`expected a decimal with at most nine decimals, found "${text}"`);
  return BigInt(match[1] as string) * ONE + BigInt((match[2] ?? '').padEnd(SCALE, '0'));
}

/** Billionths of a measured number, rounded to the nearest. */
export function decimalOf(number: number): bigint {
  return Number.isSafeInteger(number) ? BigInt(number) * ONE : parseDecimal(number.toFixed(SCALE));
}

/** A decimal string of billionths: at least `least` decimals, no trailing zeros beyond them. */
export function formatDecimal(value: bigint, least: number): string {
  const digits = value.toString().padStart(SCALE + 1, '0');
  const decimals = digits.slice(-SCALE).replace(/0+$/, '').padEnd(least, '0');
  return decimals === '' ? digits.slice(0, -SCALE) : `${digits.slice(0, -SCALE)}.${decimals}`;
}

/** A quotient of non-negative numbers, rounded half up. */
export function divideHalfUp(dividend: bigint, divisor: bigint): bigint {
  return (2n * dividend + divisor) / (2n * divisor);
}
