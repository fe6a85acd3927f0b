import type { CatalogRoute, Model } from '@darkroom-service/contract/catalog';
import { type Engine, kindOf } from '@darkroom-service/engines';
import { canServe } from './can-serve.ts';

/** Milliseconds by which a deprecation and an end are announced in advance. */
export const NOTICE_MS = 30 * 86_400_000;

/** Tells whether a model or a route has ended. @param now in milliseconds since 1970 */
export function isOver({ sunset_at }: { readonly sunset_at?: string | null | undefined }, now: number): boolean {
  return sunset_at != null && Date.parse(sunset_at) <= now;
}

/** Returns the earlier of two ends, ISO 8601; null if there is none. */
export function earlierEnd(one: string | null | undefined, other: string | null): string | null {
  if (one == null || other === null) return one ?? other;
  return Date.parse(one) <= Date.parse(other) ? one : other;
}

/**
 * Returns the status of a model at a time: the one that its entry states, or a later one by its dates.
 * @param now in milliseconds since 1970
 */
export function statusAt(
  { status, deprecated_at, sunset_at }: Pick<Model, 'status' | 'deprecated_at' | 'sunset_at'>,
  now: number,
): Model['status'] {
  if (isOver({ sunset_at }, now)) return 'retired';
  return status === 'active' && isOver({ sunset_at: deprecated_at }, now) ? 'deprecated' : status;
}

/** Facts about routes from the upstreams' own lists of models. */
export interface UpstreamLists {
  isGone(route: { readonly engine: string; readonly model: string | null }): boolean;
  endOf(route: { readonly engine: string; readonly model: string | null }): string | null;
}

/** A route with the operator's keys that ends soon, or whose upstream no longer lists its model. */
export interface EndingRoute {
  readonly model: Model;
  /** The name of the instance. */
  readonly engine: string;
  /** ISO 8601; null: its upstream no longer lists it. */
  readonly at: string | null;
  /** The one that states the end: the catalog, or the upstream's own list of models. */
  readonly by: 'catalog' | 'upstream';
  /** The instances that serve the model's orders afterwards. */
  readonly others: readonly string[];
}

/**
 * Finds the routes of the operator's engines that end within 30 days, and those whose upstream no longer lists them.
 * @param engines the configured ones that are on
 * @param lists what the upstreams' own lists say; null = they were not asked
 * @param now in milliseconds since 1970
 */
export function findEnds(
  models: readonly Model[],
  engines: readonly Engine[],
  lists: UpstreamLists | null,
  now: number,
): EndingRoute[] {
  const found = new Map<string, EndingRoute>();
  for (const model of models) {
    if (model.status === 'retired') continue;
    const open = model.routes.flatMap((route) =>
      engines
        .filter((engine) => kindOf(engine) === route.engine && canServe(engine, route))
        .map(({ name: engine }) => {
          const listed = { engine, model: route.model ?? null };
          const end = endOf(model, route, lists?.endOf(listed) ?? null);
          return { engine, ...end, isGone: lists?.isGone(listed) === true };
        })
        .filter(({ at }) => !isOver({ sunset_at: at }, now)),
    );
    for (const { engine, at, by, isGone } of open) {
      const isSoon = at !== null && Date.parse(at) <= now + NOTICE_MS;
      if (!isGone && !isSoon) continue;
      const staying = open.filter(
        (one) => !one.isGone && (one.at === null || (at !== null && Date.parse(one.at) > Date.parse(at))),
      );
      const others = [...new Set(staying.map((one) => one.engine))].filter((name) => name !== engine);
      found.set(`${model.model_id} ${engine}`, { model, engine, at: isGone ? null : at, by, others });
    }
  }
  return [...found.values()];
}

/** Describes an end and its effect on orders: `Omni ends at google on 2026-12-03, says the catalog. …`. */
export function describeEnd({ model, engine, at, by, others }: EndingRoute): string {
  const source = by === 'catalog' ? 'the catalog' : "the upstream's own list";
  const what =
    at === null
      ? `${engine} no longer lists ${model.name}.`
      : `${model.name} ends at ${engine} on ${day(at)}, says ${source}.`;
  if (others.length > 0) return `${what} Its orders go to ${others.join(', ')} from then on.`;
  const successor = model.replaced_by === null ? '' : ` Callers are told to use ${model.replaced_by}.`;
  return `${what} No other route is configured, so its orders are refused from then on.${successor}`;
}

/** Returns the earliest end of a route: the catalog's, also of the whole model, or the upstream's own. */
function endOf(model: Model, route: CatalogRoute, stated: string | null): Pick<EndingRoute, 'at' | 'by'> {
  const ours = earlierEnd(route.sunset_at, model.sunset_at);
  const at = earlierEnd(ours, stated);
  return { at, by: at === ours ? 'catalog' : 'upstream' };
}

function day(time: string): string {
  return new Date(time).toISOString().slice(0, 10);
}
