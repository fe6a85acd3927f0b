import type { QuoteView } from '@darkroom-service/contract';
import type { Mode } from '../../../api/session.ts';
import { formatMoney } from '../../../format.ts';

const AMOUNT = /^\d+(\.\d{1,6})?$/;

type Price = Pick<QuoteView, 'amount' | 'exact'>;

/** Formats a price as `$0.04`, or `at most $0.04` until it is measured. */
export function priceWords({ amount, exact }: Price): string {
  return exact ? formatMoney(amount) : `at most ${formatMoney(amount)}`;
}

/** Returns the label of a button that orders one or several: `Make 4 for $0.16`, `Draw for nothing`. */
export function orderWord(mode: Mode, price: Price | undefined, count?: number): string {
  const some = count === undefined ? '' : ` ${count}`;
  if (mode === 'test') return `Draw${some} for nothing`;
  return price === undefined ? `Make${some}` : `Make${some} for ${priceWords(price)}`;
}

/** Returns the reason why an order exceeds a price limit; undefined if it does not, or without a limit. */
export function faultOfLimit(limit: string, price: string | undefined): string | undefined {
  if (limit === '') return undefined;
  if (!AMOUNT.test(limit)) return 'Enter an amount in dollars, such as 0.50';
  return price !== undefined && Number(price) > Number(limit)
    ? `It costs ${formatMoney(price)}, more than the limit of ${formatMoney(limit)}.`
    : undefined;
}
