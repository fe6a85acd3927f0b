import type { JsonValue } from '@darkroom-service/contract';
import { TOKEN_KINDS, type TokenKind } from '@darkroom-service/contract/catalog';
import type { ReportedCost } from '../reported-cost.ts';

/** Reads the costs that upstreams report for an order. Amounts stay decimal texts: no floating point touches money. */

interface Told {
  readonly upstreamCost?: ReportedCost;
}

const DECIMAL = /^(\d{1,12})(?:\.(\d{1,15}))?$/;

/**
 * Returns an amount given in a fixed part of a US dollar, such as ten billionths (`decimals` 10) or cents (2); nothing
 * if the value is no amount.
 */
export function reportedDollars(value: JsonValue | undefined, decimals: number): Told {
  const text = decimalIn(value);
  if (text === null) return {};
  const [whole = '', part = ''] = text.split('.');
  const digits = whole.padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  const fraction = `${digits.slice(point)}${part}`.replace(/0+$/, '');
  const dollars = digits.slice(0, point).replace(/^0+(?=\d)/, '');
  return { upstreamCost: { usd: fraction === '' ? dollars : `${dollars}.${fraction}` } };
}

/** Returns an amount in the upstream's own unit; nothing if the value is no amount. */
export function reportedUnits(value: JsonValue | undefined): Told {
  const units = decimalIn(value);
  return units === null ? {} : { upstreamCost: { units } };
}

/** Returns the tokens of each kind; nothing if there are none, or one of the numbers is no count. */
export function reportedTokens(counts: { readonly [Kind in TokenKind]?: JsonValue | undefined }): Told {
  const tokens: { [Kind in TokenKind]?: number } = {};
  for (const kind of TOKEN_KINDS) {
    const count = counts[kind] ?? 0;
    if (typeof count !== 'number' || !Number.isSafeInteger(count) || count < 0) return {};
    if (count > 0) tokens[kind] = count;
  }
  return Object.keys(tokens).length === 0 ? {} : { upstreamCost: { tokens } };
}

/**
 * Returns a decimal that is not negative as a text; null for anything else. JSON's numbers become texts again as they
 * were sent.
 */
function decimalIn(value: JsonValue | undefined): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER) return null;
  const text = String(value);
  return DECIMAL.test(text) ? text : null;
}
