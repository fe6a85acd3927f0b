import type { OrderingKey } from '../accounts/api-key.ts';
import type { JsonObject } from '../base/canonical-json.ts';
import { errorFromFaults } from '../base/errors.ts';
import { isKeyed } from '../base/keyed-engine.ts';
import { withWholeTexts } from '../base/long-texts.ts';
import { formatMicros } from '../base/money.ts';
import type { Model } from '../catalog/model.ts';
import { resolveRequest } from '../catalog/resolve-request.ts';
import { wireInput } from '../catalog/wire-input.ts';
import { quoteAt } from '../pricing/key-fee.ts';
import { engineToKeepTo } from '../tasks/engine-to-keep-to.ts';
import type { TaskServices } from '../tasks/task-services.ts';
import { tariffOf } from '../views/tariff.ts';
import type { QuoteView } from '../wire/task.ts';
import { chooseModel } from './choose-model.ts';
import { resolveFollowUp } from './create-action.ts';
import { requestOrRefuse } from './judge-order.ts';
import { acceptMedia } from './order-media.ts';
import { findSubject } from './refuse-order.ts';
import { takeServiceFields } from './service-fields.ts';

/** Quotes are often asked for before there is a prompt. */
const STAND_IN_PROMPT = 'a prompt';

/**
 * Prices a create body, or with `action` a follow-up action, and checks it like an order. A missing prompt or medium is
 * accepted, and so is a model that is not live now.
 * @throws ServiceError
 */
export async function quoteOrder(services: TaskServices, key: OrderingKey, body: JsonObject): Promise<QuoteView> {
  const { fields: service, rest, faults } = takeServiceFields(body, key, null, services.settings.allowedAddresses);
  const model = await findSubject(() => chooseModel(services, key, body.model_id, null, body.model), faults);
  const waits = service.waitForParent;
  const { action = null, parent_task_id: parent = null, ...fields } = rest;
  const isAction = action !== null || parent !== null;
  const resolution = isAction
    ? await resolveFollowUp(services, key, model, rest, { purpose: 'quote', waits })
    : resolveRequest(model, fields, { purpose: 'quote' });
  const request = await requestOrRefuse(services, { key, model, resolution, faults, waits });
  const keepTo =
    key.mode === 'live' && typeof parent === 'string' ? await engineToKeepTo(services.database.read, parent) : null;
  if (key.mode === 'live')
    await assertSayable(services, key, model, isAction ? rest : fields, { isAction, waits, keepTo });
  const { known } = await acceptMedia(services, key, model, request, { keep: false, waits });
  const ownKey = keepTo === null ? services.routing.usesOwnKey(model, key.mode, key.account.id) : isKeyed(keepTo);
  const quote = quoteAt(model, known.request, tariffOf(services, key, model, ownKey), known.measurements);
  return {
    model_id: model.model_id,
    type: model.type,
    action: request.action,
    currency: 'USD',
    amount: formatMicros(quote.amount),
    exact: quote.exact,
    upstream_key: ownKey,
    lines: quote.lines,
    input: { model_id: model.model_id, ...withWholeTexts(wireInput(model, request)) },
  };
}

/**
 * Refuses a request that no configured route can express, as the order would be. While a medium is missing, its route
 * is not known.
 */
async function assertSayable(
  services: TaskServices,
  key: OrderingKey,
  model: Model,
  body: JsonObject,
  { isAction, waits, keepTo }: { readonly isAction: boolean; readonly waits: boolean; readonly keepTo: string | null },
): Promise<void> {
  for (const complete of [body, { ...body, prompt: STAND_IN_PROMPT }]) {
    const resolution = isAction
      ? await resolveFollowUp(services, key, model, complete, { purpose: 'create', waits })
      : resolveRequest(model, complete, { purpose: 'create' });
    if (!resolution.ok) continue;
    const { faults } = services.routing.routeFor(model, key.mode, resolution.request, {
      account: key.account.id,
      keepTo,
    });
    if (faults.length > 0) throw errorFromFaults(faults);
    return;
  }
}
