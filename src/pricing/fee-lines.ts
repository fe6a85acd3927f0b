import { formatMicros, type Micros } from '../base/money.ts';
import type { QuoteLine } from '../catalog/model.ts';

/** Returns the lines of a fee: its share of the catalog's lines, and the fixed amount. */
export function feeLines(shares: readonly QuoteLine[], fixed: Micros): QuoteLine[] {
  const ofPrice = shares.map((line) => ({ ...line, description: `own upstream key, share of: ${line.description}` }));
  if (fixed === 0) return ofPrice;
  const amount = formatMicros(fixed);
  const line = { description: 'own upstream key', unit: 'request', quantity: '1', unit_price: amount, amount };
  return [...ofPrice, line];
}
