import type { JsonObject } from '@darkroom-service/contract/json';
import { formatMicros } from '@darkroom-service/contract/money';
import type { QuoteView } from '@darkroom-service/contract/task';
import type { OrderingKey } from '../accounts/api-key.ts';
import { withWholeTexts } from '../base/long-texts.ts';
import { wireInput } from '../catalog/wire-input.ts';
import { type JudgeServices, judgeOrder } from './judge-order.ts';

/**
 * Prices a create body, or with `action` a follow-up action, and checks it like an order. A missing prompt or medium is
 * accepted, and so is a model that is not live now.
 * @throws ServiceError
 */
export async function quoteOrder(services: JudgeServices, key: OrderingKey, body: JsonObject): Promise<QuoteView> {
  const order = await judgeOrder(services, key, { operation: 'price', body, simulate: null });
  const { model, quote, judged, hasOwnKey } = order;
  const { request } = judged;
  const input = wireInput(model, request);
  return {
    model_id: model.model_id,
    type: model.type,
    action: request.action,
    currency: 'USD',
    amount: formatMicros(quote.amount),
    exact: quote.exact,
    upstream_key: hasOwnKey,
    lines: quote.lines,
    // Only media may be so long that their texts have stand-ins.
    input: { model_id: model.model_id, ...(request.media.length === 0 ? input : withWholeTexts(input)) },
  };
}
