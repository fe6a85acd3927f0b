import type { TaskWarningView } from '@darkroom-service/contract';
import type { Model, Pricing } from '@darkroom-service/contract/catalog';
import type { Delivery } from '@darkroom-service/engines';
import { judgeDelivery, otherThing } from '../../catalog/conformity/judge-delivery.ts';
import { measureRequest } from '../../catalog/measure-request.ts';
import { priceOfDelivered } from '../../catalog/pricing/price-of-delivered.ts';
import { type SettledQuote, settleAmount } from '../../catalog/pricing/quote.ts';
import { measurementsOf, type StoredOutput } from '../../record/task.ts';
import type { TaskRecord } from '../../record/task-record.ts';
import type { Verdict } from './collected.ts';

type Order = Pick<TaskRecord, 'request' | 'media' | 'quote' | 'route'>;

/** Facts about an order's prices and model when its result has come. */
interface Known {
  /** Model; null if the catalog no longer has it. */
  readonly model: Model | null;
  /** Price list by which the order was priced; null if it is not stored. */
  readonly pricing: Pricing | null;
}

/** Facts in the engine's answer besides the output. */
interface Told {
  /** Number of further outputs that it delivered. */
  readonly further: number;
  readonly named: NonNullable<Delivery['named']>;
}

/**
 * Compares a result with its order, and prices it: the quote if that was exact and nothing is short, else the same
 * price list with the measurements, at most the quote.
 * @param outputs the collected ones: at most one
 */
export function compareResult(
  order: Order,
  { model, pricing }: Known,
  [output]: readonly StoredOutput[],
  { further, named }: Told,
): Verdict {
  const { media, route, quote } = order;
  const measurements = measurementsOf(media);
  // A task is stored as it was ordered: its size and length may follow from media that were measured later.
  const { size_known: isSized, seconds_known: isTimed } = order.request.derived;
  const isMeasured = model === null || (isSized !== false && isTimed !== false);
  const request = isMeasured ? order.request : measureRequest(model, order.request, measurements).request;
  const other = otherThing(request.type, output ?? null);
  if (other !== null || output === undefined) return { isAsOrdered: false, message: other ?? '' };
  const { short, warnings: found } = judgeDelivery({ request, route, measurements, model }, { ...output, named });
  const warnings = further === 0 ? [...found] : [...found, furtherOutputs(request.type, further)];
  const settled = route.dearer ?? withPriceList(quote, pricing);
  if (short.size !== null || short.seconds !== null || short.isSilent) {
    const less = settled === null ? null : priceOfDelivered(settled, { request, measurements, route, model }, short);
    if (less !== null) return { isAsOrdered: true, charge: less, warnings };
    warnings.push({ code: 'price_unchanged', field: 'cost', ordered: 'a price', delivered: 'none' });
  }
  if (settled === null) return { isAsOrdered: true, charge: { amount: quote.amount, lines: quote.lines }, warnings };
  // A length that the model chose counts as delivered.
  const durationSeconds = output.durationSeconds ?? request.output.durationSeconds;
  const measured = { ...request, output: { ...request.output, durationSeconds } };
  return { isAsOrdered: true, charge: settleAmount(settled, measured, measurements), warnings };
}

function furtherOutputs(type: 'image' | 'video', further: number): TaskWarningView {
  const field = type === 'image' ? 'num_images' : 'outputs';
  return { code: 'further_outputs', field, ordered: '1', delivered: String(1 + further) };
}

/** Returns the quote with its price list; null if that is not known. */
function withPriceList({ amount, lines, basis, tariff }: Order['quote'], pricing: Pricing | null): SettledQuote | null {
  const exact = basis === null;
  if (basis !== null) return { amount, lines, exact, basis };
  if (tariff === null || pricing === null) return null;
  const { digest: _digest, consent: _consent, amount: _amount, ...rest } = tariff;
  return { amount, lines, exact, basis: { pricing, ...rest } };
}
