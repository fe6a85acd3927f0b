import { createInterface } from 'node:readline/promises';
import type { BatchQuoteView } from '@darkroom-service/contract/batch';
import { formatMicros, type Micros, parseMicros } from '@darkroom-service/contract/money';
import { CommandFault, usageFault } from '../command-fault.ts';
import { type OutputOptions, table, tell } from '../output.ts';

export interface PriceOptions extends OutputOptions {
  readonly maxPrice?: Micros;
  readonly yes?: boolean;
}

/**
 * Shows what a batch costs, and asks unless the options agree to it.
 * @returns the price that the order must not exceed. @throws CommandFault if it is too expensive, or the person says no
 */
export async function agreeOnPrice(quote: BatchQuoteView, options: PriceOptions): Promise<string> {
  const rows = quote.models.map((model) => [model.model_id, model.orders, model.amount]);
  const most = quote.exact ? '' : ' at most';
  const price = `${quote.amount} ${quote.currency}${most}`;
  tell(options, `${table(['MODEL', 'ORDERS', quote.currency], rows)}\n${countOf(quote.orders)}: ${price}`);
  const { maxPrice, yes = false } = options;
  if (maxPrice !== undefined) {
    const limit = formatMicros(maxPrice);
    if ((parseMicros(quote.amount) ?? 0) <= maxPrice) return limit;
    throw new CommandFault(`The batch costs ${price}, more than --max-price ${limit}. Nothing was ordered.`);
  }
  if (yes) return quote.amount;
  if (!process.stdin.isTTY || !process.stderr.isTTY || options.json === true) {
    throw usageFault(`The batch costs ${price}. Add --yes to order it, or --max-price with the most that it may cost.`);
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question(`Order the batch for ${price}? [y/N] `);
    if (/^y(es)?$/i.test(answer.trim())) return quote.amount;
  } finally {
    terminal.close();
  }
  throw new CommandFault('Nothing was ordered.');
}

function countOf(orders: number): string {
  return orders === 1 ? '1 order' : `${orders} orders`;
}
