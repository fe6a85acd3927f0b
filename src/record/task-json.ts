import {
  type ConsentView,
  formatMicros,
  type JsonObject,
  type JsonValue,
  type OutputDeliveryView,
  type PriceBasis,
  type TaskView,
  type TaskWarningView,
} from '@darkroom-service/contract';
import type { Quote, QuoteLine, ResolvedRequest } from '@darkroom-service/contract/catalog';
import type { Simulate, TaskFailure } from '@darkroom-service/engines';
import type { Storer } from '../accounts/stored-bytes.ts';
import { inflateKeep } from './deflated-keep.ts';
import { isPacked, type PackedRequest, unpackRequest } from './packed-request.ts';
import { readTariff, type StoredTariff, viewBasis } from './price-lists.ts';
import type { Route } from './route.ts';
import type { StoredOutput, TaskMedia, TaskRow } from './task.ts';

/**
 * Reads the JSON columns of a task. Only this service writes them, so a reader states the type and does not validate.
 * Each takes any row that has the column.
 */
type With<Column extends keyof TaskRow> = Pick<TaskRow, Column>;

/** Returns the request as the caller sees it. */
export function inputOf(row: With<'input_json'>): JsonObject {
  return JSON.parse(row.input_json) as JsonObject;
}

/** Returns the request as engines receive it; empty once the order is erased. */
export function requestOf(row: With<'request_json' | 'input_json'>): ResolvedRequest {
  const stored = JSON.parse(row.request_json) as ResolvedRequest | PackedRequest;
  return isPacked(stored) ? unpackRequest(stored, inputOf(row)) : stored;
}

/** Returns the references, fetched or not. */
export function mediaOf(row: With<'media_json'>): TaskMedia[] {
  return row.media_json === null ? [] : (JSON.parse(row.media_json) as TaskMedia[]);
}

/** Returns the owner of files that are fetched or cut out for a task's references. */
export function storerOfMedia(task: With<'api_key_id' | 'end_user'>, media: readonly TaskMedia[]): Storer {
  const isClient = media.some(({ isOfClient }) => isOfClient === true);
  return { keyId: task.api_key_id, endUser: task.end_user, isClient };
}

/** Fields that are omitted from a row if they are null. */
type LeftOut = { [Field in keyof StoredOutput]: null extends StoredOutput[Field] ? Field : never }[keyof StoredOutput];

const NULLS: Record<Exclude<LeftOut, undefined>, null> = {
  width: null,
  height: null,
  durationSeconds: null,
  hasAudio: null,
  fps: null,
  thumbnailKey: null,
  tiles: null,
  seed: null,
  revisedPrompt: null,
};

/** Returns the stored outputs of a task; empty before there are any. */
export function outputsOf(row: With<'outputs_json'>): StoredOutput[] {
  if (row.outputs_json === '[]') return [];
  const stored = JSON.parse(row.outputs_json) as (Omit<StoredOutput, keyof typeof NULLS> & Partial<StoredOutput>)[];
  return stored.map((output) => ({ ...NULLS, ...output }));
}

/** Content of `deliver_json`. */
export interface StoredDelivery {
  /** The target, as the addition that delivers wrote it. */
  readonly to: unknown;
  /** Deliveries, one per output, once there are outputs. */
  readonly deliveries: readonly OutputDeliveryView[];
}

/** Returns the target of the outputs and the state of their deliveries; null = no delivery. */
export function deliveryOf(row: With<'deliver_json'>): StoredDelivery | null {
  return row.deliver_json === null ? null : (JSON.parse(row.deliver_json) as StoredDelivery);
}

/** Returns the reason why the task failed; null if it did not. */
export function failureOf(row: With<'error_json'>): TaskFailure | null {
  return row.error_json === null ? null : (JSON.parse(row.error_json) as TaskFailure);
}

/** Returns a stored failure without its message, which may quote the prompt; null = the task has not failed. */
export function failureOfErased(row: With<'error_json'>): string | null {
  const failure = failureOf(row);
  return failure === null ? null : JSON.stringify({ ...failure, message: 'The message was erased.' });
}

/** Returns the lines of an order's price. */
export function linesOf(row: With<'lines_json'>): QuoteLine[] {
  return JSON.parse(row.lines_json) as QuoteLine[];
}

/** Returns the stored quote; its prices (`basis`) are null if it was exact. */
export function quoteOf(row: With<'price' | 'lines_json' | 'price_basis_json' | 'price_list'>): StoredQuote {
  const basis = row.price_basis_json === null ? null : (JSON.parse(row.price_basis_json) as Quote['basis']);
  const tariff = row.price_list === null ? null : readTariff(row.price_list);
  const lines = JSON.parse(row.lines_json) as QuoteLine[];
  if (tariff?.consent === undefined) return { amount: tariff?.amount ?? row.price, lines, basis, tariff };
  const { amount, share } = tariff.consent;
  return { amount, lines, basis, tariff, consent: { highest: row.price, share } };
}

export interface StoredQuote extends Pick<Quote, 'amount' | 'lines' | 'consent'> {
  readonly basis: Quote['basis'] | null;
  /** The tariff; null in rows of older versions. */
  readonly tariff: StoredTariff | null;
}

/**
 * Shows the basis of an order's price, and its consent to dearer routes, by these columns of its row.
 * @param price_list null in rows of older versions
 */
export function basisOf(price_list: string | null, route_json: string): PriceBasis & ConsentView {
  const tariff = price_list === null ? null : readTariff(price_list);
  const basis = viewBasis(tariff?.route);
  if (tariff?.consent === undefined) return basis;
  const { dearer } = routeOf({ route_json });
  const route = dearer?.basis.route ?? null;
  return {
    ...basis,
    dearer: {
      usual_amount: formatMicros(tariff.consent.amount),
      route: route === null ? null : { engine: route.engine, model: route.model },
      reason: dearer?.reason ?? null,
    },
  };
}

/** Shows the models that an order names, by the one that it is at. */
export function viewModels(row: With<'route_json'>): Pick<TaskView, 'requested_model_id' | 'tried_models'> {
  const { models } = routeOf(row);
  return models === undefined ? {} : { requested_model_id: models.requested, tried_models: [...models.left] };
}

/** Returns an order's frozen route without the requests for its further models, which quote the prompt. */
export function routeOfErased(row: With<'route_json'>): Route {
  const { models, ...route } = routeOf(row);
  return models === undefined ? route : { ...route, models: { ...models, next: [] } };
}

/** Returns the differences between the result and the order. */
export function warningsOf(row: With<'warnings_json'>): TaskWarningView[] {
  return row.warnings_json === null ? [] : (JSON.parse(row.warnings_json) as TaskWarningView[]);
}

/** Returns the metadata that the caller gave an order. */
export function metadataOf(row: With<'metadata_json'>): Record<string, string> {
  return row.metadata_json === '{}' ? {} : (JSON.parse(row.metadata_json) as Record<string, string>);
}

export function simulateOf(row: With<'simulate_json'>): Simulate | null {
  return row.simulate_json === null ? null : (JSON.parse(row.simulate_json) as Simulate);
}

/** Returns the frozen route. Its parts that are empty are not stored. */
export function routeOf(row: With<'route_json'>): Route {
  return { model: null, parameters: null, fixed: {}, ...(JSON.parse(row.route_json) as Pick<Route, 'engine'>) };
}

/** Returns the engine of the frozen route, which is written first. */
export function engineOf(row: With<'route_json'>): string {
  const [, engine] = /^\{"engine":"([^"\\]*)"/.exec(row.route_json) ?? [];
  return engine ?? (JSON.parse(row.route_json) as Pick<Route, 'engine'>).engine;
}

/** Beginning of an operation that is the result which the engine delivered, whose files are read later. */
export const DELIVERED = '{"darkroom_delivery":';

/**
 * Returns the engine's name for its job, in the engine's own form; null before the engine took the order, and if the
 * engine answered it with its result.
 */
export function operationOf(row: With<'operation_json'>): JsonValue {
  return row.operation_json === null || row.operation_json.startsWith(DELIVERED)
    ? null
    : (JSON.parse(row.operation_json) as JsonValue);
}

/** Returns the data that the engine needs again for follow-up actions. */
export function keepOf(row: With<'keep_json'>): JsonValue {
  return row.keep_json === null ? null : (JSON.parse(inflateKeep(row.keep_json)) as JsonValue);
}
