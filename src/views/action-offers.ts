import { formatMicros, type JsonObject, type OfferView } from '@darkroom-service/contract';
import type { Model } from '@darkroom-service/contract/catalog';
import type { OrderingKey } from '../accounts/api-key.ts';
import { type ActionParent, actionParent } from '../catalog/action-output.ts';
import { quoteAt } from '../catalog/pricing/quote.ts';
import type { Tariff } from '../catalog/pricing/tariff.ts';
import { availableActions, resolveAction } from '../catalog/resolve-action.ts';
import { resolveTool, type ToolSource, toolParameters } from '../catalog/tool-models.ts';
import { isKeyed } from '../record/owned-instance.ts';
import type { StoredOutput } from '../record/task.ts';
import type { ViewRow } from '../record/task-columns.ts';
import { engineOf, requestOf } from '../record/task-json.ts';
import type { TaskServices } from '../tasks/task-services.ts';
import { orderableTools } from './orderable-tools.ts';
import { tariffOf } from './tariff.ts';

/** Samples of fields without a default, so that a price can be named before they are known. */
const SAMPLE_FIELDS: Readonly<Record<string, JsonObject>> = {
  upscale: { index: 1 },
  variation: { index: 1 },
  pan: { direction: 'left' },
};
const REMEMBERED = 2_000;

const remembered = new Map<string, readonly OfferView[]>();

/** Returns the actions that a finished task offers; none if its model has no actions or is no longer in the catalog. */
export function offeredActions(
  services: OfferServices,
  key: OrderingKey,
  row: ViewRow,
  output: StoredOutput | undefined,
): readonly OfferView[] {
  if (output === undefined) return [];
  const priced = pricedBy(services, key, row, { engine: engineOf(row), output });
  // A finished task does not change any more, except by being erased.
  const own =
    priced === null
      ? []
      : remember(`${termsOf(services, [priced])} ${row.id}`, () =>
          priceOffers(priced, actionParent(requestOf(row), output)),
        );
  const { tiles, width, height, durationSeconds } = output;
  if (tiles !== null || width === null || height === null) return own;
  const tools = pricedTools(services, key, row.type);
  if (tools.length === 0) return own;
  // All outputs of one size and length are offered the same.
  const source: ToolSource = { kind: row.type, width, height, durationSeconds };
  const terms = `${termsOf(services, tools)} ${width}x${height} ${durationSeconds}`;
  return [...own, ...remember(terms, () => priceTools(tools, source))];
}

function remember(key: string, make: () => readonly OfferView[]): readonly OfferView[] {
  const known = remembered.get(key);
  if (known !== undefined) return known;
  const offers = make();
  if (remembered.size >= REMEMBERED) remembered.clear();
  remembered.set(key, offers);
  return offers;
}

/** The part of a finished task that its actions depend on besides its request. */
export interface OfferingTask extends Pick<ViewRow, 'type' | 'model_id'> {
  readonly engine: string;
  readonly output: Pick<StoredOutput, 'isKept'>;
}

/**
 * Returns a text that changes with everything, besides the task itself, on which its actions depend; null = no actions.
 */
export function offerTerms(services: OfferServices, key: OrderingKey, task: OfferingTask): string | null {
  const priced = pricedBy(services, key, task, task);
  const tools = pricedTools(services, key, task.type);
  const all = priced === null ? tools : [priced, ...tools];
  return all.length === 0 ? null : termsOf(services, all);
}

type OfferServices = Pick<TaskServices, 'catalog' | 'routing' | 'settings'>;

interface Priced {
  readonly model: Model;
  readonly tariff: Tariff;
}

function termsOf({ catalog }: OfferServices, priced: readonly Priced[]): string {
  const terms = priced.map(({ model, tariff }) => {
    const { floor, ...rest } = 'fee' in tariff ? { ...tariff, floor: null } : tariff;
    return `${model.model_id} ${JSON.stringify(rest)} ${floor?.terms ?? ''}`;
  });
  return [catalog().version, ...terms].join(' ');
}

/** Returns the tools that a key can order for a finished task. */
function pricedTools(services: OfferServices, key: OrderingKey, type: ViewRow['type']): readonly Priced[] {
  return orderableTools(services, key, type).map((model) => {
    const isOwn = services.routing.usesOwnKey(model, key.mode, key.account.id);
    return { model, tariff: tariffOf(services, key, model, isOwn, services.routing.ruleOf(key, {})) };
  });
}

function pricedBy(
  services: OfferServices,
  key: OrderingKey,
  task: Pick<ViewRow, 'type' | 'model_id'>,
  { engine, output }: Pick<OfferingTask, 'engine' | 'output'>,
): Priced | null {
  if (task.type !== 'image') return null;
  const model = services.catalog().find(task.model_id);
  if (model === null || model.actions.length === 0) return null;
  // An engine that kept data makes the action itself, with or without a key of the account.
  const isOwn =
    key.mode === 'live' && output.isKept === true
      ? isKeyed(engine)
      : services.routing.usesOwnKey(model, key.mode, key.account.id);
  return { model, tariff: tariffOf(services, key, model, isOwn, services.routing.ruleOf(key, {})) };
}

/** Prices, for each action, the first tool that takes this output. */
function priceTools(tools: readonly Priced[], source: ToolSource): readonly OfferView[] {
  const offers = new Map<string, OfferView>();
  for (const { model, tariff } of tools) {
    const action = model.as_action ?? '';
    const found = offers.has(action) ? null : resolveTool(model, source);
    if (found?.ok !== true) continue;
    const price = formatMicros(quoteAt(model, found.request, tariff).amount);
    offers.set(action, { action, model_id: model.model_id, price, parameters: toolParameters(model) });
  }
  return [...offers.values()];
}

function priceOffers({ model, tariff }: Priced, parent: ActionParent): readonly OfferView[] {
  return availableActions(model, parent).flatMap(({ action, parameters }) => {
    const body = { action, ...SAMPLE_FIELDS[action] };
    const resolution = resolveAction(model, body, parent, { purpose: 'quote' });
    if (!resolution.ok) return [];
    return [{ action, price: formatMicros(quoteAt(model, resolution.request, tariff).amount), parameters }];
  });
}
