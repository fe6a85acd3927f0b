import { errorFromFaults, type JsonObject, type Micros, ServiceError } from '@darkroom-service/contract';
import type { MediaReference, Model, Quote, ResolvedRequest } from '@darkroom-service/contract/catalog';
import { replaceMediaSources } from '../catalog/media-fields.ts';
import { wireInput } from '../catalog/wire-input.ts';
import type { ModelOrder, OrderModels } from '../record/order-models.ts';
import { storedTariff, storePriceList } from '../record/price-lists.ts';
import type { Route } from '../record/route.ts';
import { storedRequest } from '../record/stored-json.ts';
import type { TaskServices } from '../tasks/task-services.ts';
import type { Fallback } from './fallback-fields.ts';

/** The price of an order at one of its models. */
export interface ModelPrice {
  readonly model_id: string;
  readonly amount: Micros;
}

/** An order as one of its models would make it. */
interface JudgedModel {
  readonly model: Model;
  readonly route: Route | null;
  readonly quote: Quote;
  readonly judged: { readonly request: ResolvedRequest };
  readonly wireFields: JsonObject;
  readonly hindrance: ServiceError | null;
  readonly modelPrices?: readonly ModelPrice[];
}

/**
 * Judges an order that names several models: as an order for each, all of which must be valid. It starts at the first
 * model that takes orders now, and its route carries the others. It holds the price at the dearest.
 * @param order.operation a price needs no model that takes orders now
 * @param judgeOne judges the order for one model, and keeps the files that came with it if it is told so
 * @throws ServiceError the first refusal, which names the model
 */
export async function judgeModels<Judged extends JudgedModel>(
  services: Pick<TaskServices, 'catalog' | 'database'>,
  order: { readonly operation: string; readonly body: JsonObject },
  { models, afterContentPolicy }: Fallback,
  judgeOne: (body: JsonObject, keepsFiles: boolean) => Promise<Judged>,
): Promise<Judged> {
  const { fallback_models: _models, fallback_on_content_policy: _mode, ...body } = order.body;
  if (order.operation === 'action' || (body.action ?? body.parent_task_id ?? null) !== null)
    throw refusal('fallback_models', 'unsupported_field', 'an action is made by the model of its parent. Omit it');
  const ready: Judged[] = [];
  const away: { readonly model: Model; readonly reason: ServiceError; readonly judged: Judged | null }[] = [];
  for (const [at, name] of [body.model_id ?? null, ...models].entries()) {
    const judged = await judgeOne({ ...body, model_id: name }, ready.length === 0).catch((error: unknown) => {
      if (!(error instanceof ServiceError)) throw error;
      if (error.code === 'model_unavailable') return error;
      throw at === 0 ? error : ofModel(error, String(name), `fallback_models[${at - 1}]`);
    });
    const reason = judged instanceof ServiceError ? judged : judged.hindrance;
    const model = judged instanceof ServiceError ? services.catalog().find(String(name))! : judged.model;
    const known = [...ready, ...away].map((one) => one.model);
    const param = `fallback_models[${at - 1}]`;
    if (known.includes(model)) throw refusal(param, 'invalid_request', `the order names ${model.model_id} twice`);
    if (known[0] !== undefined && known[0].type !== model.type)
      throw refusal(param, 'unsupported_value', `${model.model_id} makes ${model.type}s, not ${known[0].type}s`);
    if (reason?.code === 'model_unavailable')
      away.push({ model, reason, judged: judged instanceof ServiceError ? null : judged });
    else if (!(judged instanceof ServiceError)) ready.push(judged);
  }
  const priced = ready.length > 0 ? ready : away.flatMap(({ judged }) => judged ?? []);
  const [first, ...further] = priced;
  if (first === undefined) throw away[0]!.reason;
  for (const one of further) assertSameFields(first, one);
  const hold = Math.max(...priced.map(({ quote }) => quote.consent?.highest ?? quote.amount));
  const held: Judged = {
    ...first,
    quote: withHold(first.quote, hold),
    modelPrices: priced.map(({ model, quote }) => ({ model_id: model.model_id, amount: quote.amount })),
    hindrance: priced.find(({ hindrance }) => hindrance !== null)?.hindrance ?? null,
  };
  if (order.operation === 'price' || first.route === null) return held;
  for (const { quote } of further) await storePriceList(services.database, quote.basis.pricing);
  const named: OrderModels = {
    requested: services.catalog().find(String(body.model_id))!.model_id,
    afterContentPolicy,
    left: away.map(({ model, reason }) => ({ model_id: model.model_id, reason: reason.message })),
    next: further.map((one) => modelOrder(one, first.judged.request.media, hold)),
  };
  return { ...held, route: { ...first.route, models: named } };
}

/** Refuses models that take an image of the same role in different fields: an order stores its media by field. */
function assertSameFields(first: JudgedModel, further: JudgedModel): void {
  const fieldsOf = ({ judged }: JudgedModel) => judged.request.media.map(({ field, index }) => `${field}[${index}]`);
  const known = new Set(fieldsOf(first));
  if (fieldsOf(further).every((place) => known.has(place))) return;
  const names = `${first.model.model_id} and ${further.model.model_id}`;
  throw refusal('image_roles', 'unsupported_value', `${names} take these images in different fields. Name one of them`);
}

/** Returns the columns of an order as a further model would make it. @param media with the stored files as sources */
function modelOrder(
  { model, judged, quote, wireFields }: JudgedModel,
  media: readonly MediaReference[],
  hold: Micros,
): ModelOrder {
  const storedAs = ({ field, index, source }: MediaReference) =>
    media.find((one) => one.field === field && one.index === index)?.source ?? source;
  const request = replaceMediaSources(model, judged.request, storedAs);
  const input = { model_id: model.model_id, ...wireFields, ...wireInput(model, request) };
  return {
    model_id: model.model_id,
    input_json: JSON.stringify(input),
    request_json: storedRequest(request, input),
    lines_json: JSON.stringify(quote.lines),
    price_basis_json: quote.exact ? null : JSON.stringify(quote.basis),
    price_list: storedTariff(withHold(quote, hold)),
  };
}

function withHold({ consent, ...quote }: Quote, hold: Micros): Quote {
  return { ...quote, hold, ...(consent === undefined ? {} : { consent: { ...consent, highest: hold } }) };
}

function refusal(
  param: string,
  code: 'invalid_request' | 'unsupported_field' | 'unsupported_value',
  message: string,
): ServiceError {
  return errorFromFaults([{ param, code, message: `${param}: ${message}.` }]);
}

/** Makes a refusal name the further model that it is about. */
function ofModel(error: ServiceError, modelId: string, place: string): ServiceError {
  const { code, param, suggestion, details, retryAfterSeconds, retryable, headers } = error;
  const named = (message: unknown) => `${place} (${modelId}): ${String(message)}`;
  return new ServiceError(code, named(error.message), {
    param: param === 'model_id' ? place : param,
    details: details.map((one) => ('message' in one ? { ...one, message: named(one.message) } : one)),
    headers,
    ...(retryable ? {} : { retryable }),
    ...(suggestion === null ? {} : { suggestion }),
    ...(retryAfterSeconds === null ? {} : { retryAfterSeconds }),
  });
}
