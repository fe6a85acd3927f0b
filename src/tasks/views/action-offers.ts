import { formatMicros, type JsonObject, type OfferView } from '@darkroom-service/contract';
import type { Model } from '@darkroom-service/contract/catalog';
import type { OrderingKey } from '../../accounts/api-key.ts';
import { type ActionParent, actionParent } from '../../catalog/action-output.ts';
import { quoteAt, type Tariff } from '../../catalog/pricing/quote.ts';
import { availableActions, resolveAction } from '../../catalog/resolve-action.ts';
import { isKeyed } from '../owned-instance.ts';
import type { StoredOutput } from '../task.ts';
import type { ViewRow } from '../task-columns.ts';
import { engineOf, requestOf } from '../task-json.ts';
import type { TaskServices } from '../task-services.ts';
import { tariffOf } from './tariff.ts';

/** Fields that have no default, so that a price can be said before they are known. */
const SAMPLE_FIELDS: Readonly<Record<string, JsonObject>> = {
  upscale: { index: 1 },
  variation: { index: 1 },
  pan: { direction: 'left' },
};
const REMEMBERED = 2_000;

const remembered = new Map<string, readonly OfferView[]>();

/** The actions that a finished task offers; none if its model has no actions or is no longer in the catalog. */
export function offeredActions(
  services: Pick<TaskServices, 'catalog' | 'routing' | 'settings'>,
  key: OrderingKey,
  row: ViewRow,
  output: StoredOutput | undefined,
): readonly OfferView[] {
  if (row.type !== 'image' || output === undefined) return [];
  const catalog = services.catalog();
  const model = catalog.find(row.model_id);
  if (model === null || model.actions.length === 0) return [];
  const { routing } = services;
  // An engine that kept data makes the action itself, with or without a key of the account.
  const isOwn =
    key.mode === 'live' && output.isKept === true
      ? isKeyed(engineOf(row))
      : routing.usesOwnKey(model, key.mode, key.account.id);
  const tariff = tariffOf(services, key, model, isOwn);
  // A finished task changes no more, but for being erased.
  const memory = `${catalog.version} ${JSON.stringify(tariff)} ${row.id}`;
  const known = remembered.get(memory);
  if (known !== undefined) return known;
  const offers = priceOffers(model, actionParent(requestOf(row), output), tariff);
  if (remembered.size >= REMEMBERED) remembered.clear();
  remembered.set(memory, offers);
  return offers;
}

function priceOffers(model: Model, parent: ActionParent, tariff: Tariff): readonly OfferView[] {
  return availableActions(model, parent).flatMap(({ action, parameters }) => {
    const body = { action, ...SAMPLE_FIELDS[action] };
    const resolution = resolveAction(model, body, parent, { purpose: 'quote' });
    if (!resolution.ok) return [];
    return [{ action, price: formatMicros(quoteAt(model, resolution.request, tariff).amount), parameters }];
  });
}
