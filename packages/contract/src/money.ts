/**
 * An amount of money in micro-dollars (millionths of a US dollar), always a whole number. The API shows it as a decimal
 * string.
 */
export type Micros = number;

export const MICROS_PER_DOLLAR = 1_000_000;
const AMOUNT = /^(-?)(0|[1-9]\d{0,8})(?:\.(\d{1,6}))?$/;

/**
 * Formats an amount as a decimal string with two to six decimals and no trailing zeros beyond the second (`"0.04"`,
 * `"0.0336"`).
 * @throws RangeError when the amount is not a safe integer.
 */
export function formatMicros(amount: Micros): string {
  if (!Number.isSafeInteger(amount)) throw new RangeError(`expected a whole number of micro-dollars, found ${amount}`);
  const digits = Math.abs(amount).toString().padStart(7, '0');
  const decimals = digits.slice(-6).replace(/0{1,4}$/, '');
  return `${amount < 0 ? '-' : ''}${digits.slice(0, -6)}.${decimals}`;
}

/**
 * Parses a decimal string such as `"25"`, `"0.0336"` or `"-3.5"`. Returns null if it is not an amount, begins with a
 * zero before other digits, or has more than six decimals.
 */
export function parseMicros(text: string): Micros | null {
  const match = AMOUNT.exec(text);
  if (match === null) return null;
  const whole = Number(match[2]) * MICROS_PER_DOLLAR + Number((match[3] ?? '').padEnd(6, '0'));
  return match[1] === '-' && whole !== 0 ? -whole : whole;
}
