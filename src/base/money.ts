/** Money is a whole number of micro-dollars (a millionth of a US dollar) inside, and a decimal string outside. */
export type Micros = number;

export const MICROS_PER_DOLLAR = 1_000_000;
const AMOUNT = /^(-?)(\d{1,9})(?:\.(\d{1,6}))?$/;

/**
 * A decimal string for an amount: at least two decimals, no trailing zeros beyond them, at most six (`"0.04"`, `"0.0336"`).
 * @throws RangeError when the amount is not a safe whole number.
 */
export function formatMicros(amount: Micros): string {
  if (!Number.isSafeInteger(amount)) throw new RangeError(`expected a whole number of micro-dollars, found ${amount}`);
  const digits = Math.abs(amount).toString().padStart(7, '0');
  const decimals = digits.slice(-6).replace(/0{1,4}$/, '');
  return `${amount < 0 ? '-' : ''}${digits.slice(0, -6)}.${decimals}`;
}

/** An amount from a decimal string such as `"25"`, `"0.0336"` or `"-3.5"`; null when it is none (more than six decimals included). */
export function parseMicros(text: string): Micros | null {
  const match = AMOUNT.exec(text);
  if (match === null) return null;
  const whole = Number(match[2]) * MICROS_PER_DOLLAR + Number((match[3] ?? '').padEnd(6, '0'));
  return match[1] === '-' && whole !== 0 ? -whole : whole;
}
