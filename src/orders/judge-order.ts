import {
  cutText,
  type ErrorCode,
  EXAMINED_WITHIN_MS,
  errorFromFaults,
  type Fault,
  type JsonObject,
  type JsonValue,
  ServiceError,
  world,
} from '@darkroom-service/contract';
import type { MediaMeasurement, Model, Quote, ResolvedRequest } from '@darkroom-service/contract/catalog';
import type { OrderingKey } from '../accounts/api-key.ts';
import { isDataUri } from '../base/data-uri.ts';
import { adviseOnSpeed } from '../catalog/batch-lane.ts';
import { allowDearer } from '../catalog/pricing/dearer-routes.ts';
import { quoteAt } from '../catalog/pricing/quote.ts';
import { resolveAction } from '../catalog/resolve-action.ts';
import { type Resolution, resolveRequest } from '../catalog/resolve-request.ts';
import { asSent, type SentPaths } from '../catalog/sent-paths.ts';
import type { BatchSiblings, WaitPolicy } from '../record/batch-siblings.ts';
import { isKeyed } from '../record/owned-instance.ts';
import type { Route } from '../record/route.ts';
import { isFinal } from '../record/task.ts';
import type { TaskServices } from '../tasks/task-services.ts';
import { tariffOf } from '../views/tariff.ts';
import { takeAddedFields } from './added-fields.ts';
import { acceptRoute, chooseModel } from './choose-model.ts';
import { findMedium } from './find-medium.ts';
import { type FoundParent, findParent, possibleParent } from './find-parent.ts';
import { type JudgedRequest, judge } from './judge.ts';
import { judgeModels, type ModelPrice } from './judge-models.ts';
import { limitOfEach } from './price-limit.ts';
import { readDeliverTo } from './read-deliver-to.ts';
import { type ServiceFields, takeServiceFields } from './service-fields.ts';
import { readToolOrder } from './tool-order.ts';

/** An order as it was sent. */
export interface SentOrder {
  readonly operation: 'image' | 'video' | 'action';
  readonly body: JsonObject;
  /** The `Darkroom-Simulate` header. */
  readonly simulate: string | null;
  /** Earlier orders of its batch. */
  readonly earlier?: BatchSiblings;
  /** Number of such orders that its `max_price` is for; absent = one. */
  readonly count?: number;
  /** Whether it keeps the files that data URIs become; absent = yes. */
  readonly keepsFiles?: boolean;
  /** As in `MediaCall`; absent = its request has no other files. */
  readonly examinedBy?: number;
  /** The paths that its sender used instead of those of the body; absent = the same. */
  readonly sentAs?: SentPaths;
}

/** An order of any kind whose price is asked, often before there is a prompt or a medium. */
type PricedOrder = Omit<SentOrder, 'operation'> & { readonly operation: 'price' };

/** An order that has passed every check except for money and limits. */
export interface JudgedOrder<Accepted extends Route | null = Route> {
  readonly key: OrderingKey;
  readonly model: Model;
  readonly route: Accepted;
  readonly judged: JudgedRequest;
  readonly quote: Quote;
  /** Prices at its models, if it names several. */
  readonly modelPrices?: readonly ModelPrice[];
  /** Whether the price is the fee for the account's own upstream key. */
  readonly hasOwnKey: boolean;
  readonly fields: ServiceFields;
  /** The target of the outputs, as the task stores it. */
  readonly deliverTo: string | null;
  /** The request as the wire shows it, before the media are renamed. */
  readonly wireFields: JsonObject;
  readonly parentTaskId: string | null;
  /** Whether the parent of an action has not ended. */
  readonly waitsForParent: boolean;
  /**
   * Reason why the quoted order would be refused now. Null: it would not, or that depends on a field that is missing.
   */
  readonly hindrance: ServiceError | null;
}

/** The services that judge an order. */
export type JudgeServices = Pick<
  TaskServices,
  | 'catalog'
  | 'createId'
  | 'database'
  | 'fields'
  | 'log'
  | 'parentGate'
  | 'readDeliverTo'
  | 'references'
  | 'routing'
  | 'settings'
  | 'storage'
>;

const NO_DATA_IN_BATCHES = {
  ok: false,
  message: 'data: URIs are not accepted in batches. Upload the file with POST /v1/files and send upload:<file_id>',
} as const;

/**
 * Judges and prices an order by all checks except for its key's money and limits. A price requires less: a field that
 * is still missing, and a model that is not live now, are no faults.
 * @throws ServiceError with every fault
 */
export function judgeOrder(services: JudgeServices, key: OrderingKey, order: SentOrder): Promise<JudgedOrder>;
export function judgeOrder(
  services: JudgeServices,
  key: OrderingKey,
  order: PricedOrder,
): Promise<JudgedOrder<Route | null>>;
export async function judgeOrder(
  services: JudgeServices,
  key: OrderingKey,
  order: SentOrder | PricedOrder,
): Promise<JudgedOrder<Route | null>> {
  const { operation, body, simulate, earlier, count = 1, examinedBy = world.monotonic() + EXAMINED_WITHIN_MS } = order;
  const taken = takeServiceFields(body, key, simulate, services.settings.webhookAddresses);
  const { fields } = taken;
  const judgeAs = (changed: JsonObject, { operation: as, ...rest }: Partial<SentOrder>) =>
    order.operation === 'price'
      ? judgeOrder(services, key, { ...order, ...rest, body: changed })
      : judgeOrder(services, key, { ...order, ...rest, operation: as ?? order.operation, body: changed });
  if (fields.fallback !== null)
    return await judgeModels(services, order, fields.fallback, (one, keepsFiles) => judgeAs(one, { keepsFiles }));
  const faults = [...taken.faults];
  const { added, rest } = takeAddedFields(services.fields, taken.rest, faults);
  const deliverTo = await readDeliverTo(
    services,
    key,
    fields.deliverTo,
    earlier === undefined ? 'order' : 'order of a batch',
    faults,
  );
  const waits: WaitPolicy = services.parentGate === null ? { waits: false } : { waits: fields.waitForParent, earlier };
  const isPrice = operation === 'price';
  const isFollowUp = operation === 'action' || (isPrice && body.action !== undefined);
  const tool =
    isFollowUp || body.source !== undefined ? await readToolOrder(services, key, { operation, body }, waits) : null;
  if (tool !== null) return await judgeAs(tool.body, { operation: tool.type, sentAs: tool.sentAs });
  let parent: FoundParent | null = null;
  let model: Model;
  if (operation === 'action') {
    parent = await findSubject(
      () => findParent(services, key, body.parent_task_id, waits),
      [...faultsOfAction(rest.action), ...faults],
    );
    model = chooseModel(services, key, parent.row.model_id, 'image');
    assertSameModel(model, body.model_id);
  } else {
    const type = isPrice ? null : operation;
    model = await findSubject(() => chooseModel(services, key, body.model_id, type, body.model), faults);
    if (isPrice && (rest.parent_task_id ?? null) !== null)
      parent = await findParent(services, key, rest.parent_task_id, waits);
    if (parent !== null && parent.row.model_id !== model.model_id) throw otherModel(parent.row.model_id);
  }
  let resolution: Resolution;
  if (operation === 'action' || (isPrice && (rest.action ?? rest.parent_task_id ?? null) !== null))
    resolution = resolveOn(model, rest, parent, isPrice ? 'quote' : 'create');
  else if (isPrice) {
    const { action: _action, parent_task_id: _parent, ...plain } = rest;
    resolution = resolveRequest(model, plain, { purpose: 'quote' });
  } else resolution = resolveRequest(model, rest, { purpose: 'create' });
  const parentTaskId = parent?.row.id ?? null;
  let hindrance: ServiceError | null = null;
  const rule = services.routing.ruleOf(key, added);
  const most = fields.allowsDearer ? limitOfEach(fields.maxPrice, count) : null;
  const quoteFor = (request: ResolvedRequest, measurements: readonly MediaMeasurement[], isOwn: boolean) => {
    const tariff = tariffOf(services, key, model, isOwn, rule);
    const quote = quoteAt(model, request, tariff, measurements);
    return most === null ? quote : allowDearer(quote, request, { tariff, measurements, most });
  };
  /** Prices of requests without measured media and without an upstream key: usually the price of the order. */
  const paid = new Map<ResolvedRequest, Quote>();
  const judged = await judge<Route | null>(services, {
    model,
    mode: key.mode,
    accountId: key.account.id,
    resolution,
    faults,
    parentTaskId,
    rule,
    keepsFiles: !isPrice && order.keepsFiles !== false,
    acceptRoute(route, { isBelowCost, isOpen }) {
      try {
        return acceptRoute(services, key, model, { route, isBelowCost });
      } catch (error) {
        if (!isPrice || !(error instanceof ServiceError)) throw error;
        hindrance = isOpen ? null : error;
        return route;
      }
    },
    allowsDearer: most !== null,
    quoteFor(request, measurements) {
      const quote = (measurements.length > 0 ? undefined : paid.get(request)) ?? quoteFor(request, measurements, false);
      if (measurements.length === 0) paid.set(request, quote);
      return quote;
    },
    // Files within ten thousand orders would be stored before the batch is accepted.
    findMedium: async (reference) =>
      earlier !== undefined && isDataUri(reference.source)
        ? NO_DATA_IN_BATCHES
        : await findMedium(services, key, reference, waits, examinedBy),
  });
  if ('faults' in judged) throw refusalOf(services, model, judged.faults, [resolution.sentAs, order.sentAs]);
  const { route, keepTo, known } = judged;
  const engine = route?.engine ?? keepTo;
  const hasOwnKey = engine === null ? services.routing.usesOwnKey(model, key.mode, key.account.id) : isKeyed(engine);
  const { request, measurements } = known;
  return {
    key,
    model,
    route,
    judged,
    hasOwnKey,
    fields,
    deliverTo,
    parentTaskId,
    quote:
      (hasOwnKey || measurements.length > 0 ? undefined : paid.get(request)) ??
      quoteFor(request, measurements, hasOwnKey),
    wireFields:
      parentTaskId === null ? added : { ...added, parent_task_id: parentTaskId, action: judged.request.action },
    waitsForParent: parent !== null && !isFinal(parent.row.status),
    hindrance,
  };
}

/** Returns the refusal of an order by its faults, which name the fields that its sender used. */
function refusalOf(
  { catalog }: Pick<JudgeServices, 'catalog'>,
  model: Model,
  faults: readonly Fault[],
  paths: readonly (SentPaths | undefined)[],
): ServiceError {
  return errorFromFaults(paths.reduce(asSent, adviseOnSpeed(faults, model, catalog().models)));
}

/** Errors about the model or the parent task, on which the check of all other fields depends. */
const OF_THE_SUBJECT: ReadonlySet<ErrorCode> = new Set(['invalid_request', 'model_not_found', 'task_not_found']);

/**
 * Finds the subject of an order. If it does not exist, the faults of the fields that can be judged without it are
 * reported as well.
 * @param find throws a ServiceError if there is none
 */
async function findSubject<T>(find: () => T | Promise<T>, faults: readonly Fault[]): Promise<T> {
  try {
    return await find();
  } catch (error) {
    if (!(error instanceof ServiceError) || !OF_THE_SUBJECT.has(error.code) || error.details.length > 0) throw error;
    const { param, code, message, suggestion } = error;
    throw errorFromFaults([{ param, code, message, ...(suggestion === null ? {} : { suggestion }) }, ...faults]);
  }
}

/** Resolves an action on its parent; a price without a parent, on the model's defaults. */
function resolveOn(
  model: Model,
  { parent_task_id: _parent, ...body }: JsonObject,
  found: FoundParent | null,
  purpose: 'create' | 'quote',
): Resolution {
  const parent = found === null ? null : possibleParent(found, body.action);
  const resolution = resolveAction(model, body, parent, { purpose });
  if (!resolution.ok || found?.isExact !== false) return resolution;
  // Its size depends on one that is not known yet, so a price that depends on it is not exact.
  const { request } = resolution;
  return { ...resolution, request: { ...request, derived: { ...request.derived, size_known: false } } };
}

/** Returns the faults of an action that do not depend on its parent. */
function faultsOfAction(action: JsonValue | undefined): Fault[] {
  if (typeof action === 'string') return [];
  const found = action === undefined ? 'nothing' : cutText(JSON.stringify(action), 60);
  const message = `action: expected one of the parent's available_actions, found ${found}.`;
  return [{ param: 'action', code: 'invalid_request', message }];
}

function assertSameModel(model: Model, modelId: JsonValue | undefined): void {
  const isSame = typeof modelId === 'string' && [model.model_id, ...model.aliases].includes(modelId);
  if (!isSame && (modelId ?? null) !== null) throw otherModel(model.model_id, ', or omitted');
}

function otherModel(expected: string, alternative = ''): ServiceError {
  return new ServiceError('invalid_request', `model_id must be the parent's model, ${expected}${alternative}.`, {
    param: 'model_id',
  });
}
