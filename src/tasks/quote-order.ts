import { type OrderingKey, priceMultiplier } from '../accounts/api-key.ts';
import type { JsonObject } from '../base/canonical-json.ts';
import { errorFromFaults } from '../base/errors.ts';
import { formatMicros } from '../base/money.ts';
import type { Model, QuoteLine } from '../catalog/model.ts';
import { resolveRequest } from '../catalog/resolve-request.ts';
import { quoteRequest } from '../pricing/quote.ts';
import { chooseModel } from './choose-model.ts';
import { resolveFollowUp } from './create-action.ts';
import type { Desk } from './desk.ts';
import { judgeMedia } from './order-media.ts';
import { findSubject, refusalOf } from './refuse-order.ts';
import { takeServiceFields } from './service-fields.ts';

/** Quotes are often asked for before there is a prompt. */
const STAND_IN_PROMPT = 'a prompt';

/** What an order would cost (contract §5). */
export interface QuoteView {
  readonly model_id: string;
  readonly type: 'image' | 'video';
  readonly action: string | null;
  readonly currency: 'USD';
  readonly amount: string;
  /** False where the charge depends on media that are measured later: `amount` is then the most it can be. */
  readonly exact: boolean;
  readonly lines: readonly QuoteLine[];
  readonly input: JsonObject;
}

/**
 * Prices a create body, or with `action` a follow-up action, and checks it the same way. A missing prompt or medium is no fault, nor is it
 * that nobody makes the model for now.
 * @throws ServiceError
 */
export async function quoteOrder(desk: Desk, key: OrderingKey, body: JsonObject): Promise<QuoteView> {
  const { rest, faults } = takeServiceFields(body, key.mode, null, desk.settings.allowedAddresses);
  const model = await findSubject(() => chooseModel(desk, key, body.model_id, null), faults);
  const { action = null, parent_task_id: parent = null, ...fields } = rest;
  const isAction = action !== null || parent !== null;
  const resolution = isAction
    ? await resolveFollowUp(desk, key, model, rest, 'quote')
    : resolveRequest(model, fields, { purpose: 'quote' });
  if (!resolution.ok || faults.length > 0) throw await refusalOf(desk, key.id, model, resolution, faults);
  if (key.mode === 'live') await assertSayable(desk, key, model, isAction ? rest : fields, isAction);
  const { request } = resolution;
  const judged = await judgeMedia(desk, key.id, model, request, { keep: false });
  if (judged.faults.length > 0) throw errorFromFaults(judged.faults);
  const quote = quoteRequest(model, request, priceMultiplier(key.account, model.model_id));
  return {
    model_id: model.model_id,
    type: model.type,
    action: request.action,
    currency: 'USD',
    amount: formatMicros(quote.amount),
    exact: quote.exact,
    lines: quote.lines,
    input: { model_id: model.model_id, ...request.values },
  };
}

/** What no configured route could say is refused like the order itself. Where a medium is missing nobody knows which route it would take. */
async function assertSayable(
  desk: Desk,
  key: OrderingKey,
  model: Model,
  body: JsonObject,
  isAction: boolean,
): Promise<void> {
  for (const complete of [body, { ...body, prompt: STAND_IN_PROMPT }]) {
    const resolution = isAction
      ? await resolveFollowUp(desk, key, model, complete, 'create')
      : resolveRequest(model, complete, { purpose: 'create' });
    if (!resolution.ok) continue;
    const { faults } = desk.routing.routeFor(model, key.mode, resolution.request);
    if (faults.length > 0) throw errorFromFaults(faults);
    return;
  }
}
