import {
  type ComparedOrder,
  EXAMINED_WITHIN_MS,
  formatMicros,
  type JsonObject,
  type Micros,
  type QuoteView,
  ServiceError,
  world,
} from '@darkroom-service/contract';
import type { OrderingKey } from '../accounts/api-key.ts';
import { withWholeTexts } from '../base/long-texts.ts';
import { turnOfItsOwn } from '../base/map-in-slices.ts';
import { wireInput } from '../catalog/wire-input.ts';
import { viewBasis } from '../record/price-lists.ts';
import type { Route } from '../record/route.ts';
import { type JudgedOrder, type JudgeServices, judgeOrder } from './judge-order.ts';

/**
 * Prices a create body, or with `action` a follow-up action, and checks it like an order. A missing prompt or medium is
 * accepted, and so is a model that is not live now.
 * @throws ServiceError
 */
export async function quoteOrder(services: JudgeServices, key: OrderingKey, body: JsonObject): Promise<QuoteView> {
  return quoteView(await judgeOrder(services, key, { operation: 'price', body, simulate: null }));
}

/**
 * Prices several bodies, each by itself, and says whether each could be ordered now.
 * @returns in the order of the bodies
 */
export async function compareOrders(
  services: JudgeServices,
  key: OrderingKey,
  bodies: readonly JsonObject[],
): Promise<ComparedOrder[]> {
  const compared: ComparedOrder[] = [];
  const examinedBy = world.monotonic() + EXAMINED_WITHIN_MS;
  for (const body of bodies) {
    await turnOfItsOwn();
    try {
      const order = await judgeOrder(services, key, { operation: 'price', body, simulate: null, examinedBy });
      const quote = quoteView(order);
      compared.push({ quote, refusal: quote.refusal });
    } catch (error) {
      if (!(error instanceof ServiceError) || error.status >= 500) throw error;
      compared.push({ quote: null, refusal: refusalOf(error) });
    }
  }
  return compared;
}

function refusalOf({ code, message, param }: ServiceError): ComparedOrder['refusal'] {
  return { code, message: message.toWellFormed(), param: param?.toWellFormed() ?? null };
}

/** Shows the amount that an order holds which may be more than its price; null if it is above the order's limit. */
function highestAmount(hold: Micros, maxPrice: Micros | null): string | null {
  return maxPrice !== null && hold > maxPrice ? null : formatMicros(hold);
}

function quoteView({
  model,
  quote,
  modelPrices,
  judged,
  hasOwnKey,
  hindrance,
  fields,
}: JudgedOrder<Route | null>): QuoteView {
  const { request } = judged;
  const input = wireInput(model, request);
  const highest = quote.hold ?? quote.consent?.highest;
  return {
    model_id: model.model_id,
    type: model.type,
    action: request.action,
    currency: 'USD',
    amount: formatMicros(quote.amount),
    exact: quote.exact,
    ...(highest === undefined ? {} : { highest_amount: highestAmount(highest, fields.maxPrice) }),
    ...(modelPrices && {
      models: modelPrices.map(({ model_id, amount }) => ({ model_id, amount: formatMicros(amount) })),
    }),
    ...viewBasis(quote.basis.route),
    upstream_key: hasOwnKey,
    lines: quote.lines,
    refusal: hindrance === null ? null : refusalOf(hindrance),
    // Only media may be so long that their texts have stand-ins.
    input: { model_id: model.model_id, ...(request.media.length === 0 ? input : withWholeTexts(input)) },
  };
}
