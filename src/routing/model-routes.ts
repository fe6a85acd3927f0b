import type { CatalogRoute, Model } from '@darkroom-service/contract/catalog';
import { type Engine, kindOf } from '@darkroom-service/engines';
import { canServe } from '../catalog/can-serve.ts';
import { isOver } from '../catalog/ends.ts';
import { withoutKey } from '../record/owned-instance.ts';
import type { ModelLists } from './model-lists.ts';
import type { OwnedInstances } from './owned-instances.ts';
import { instancesFor } from './pick-route.ts';

export interface ModelRoutesOptions {
  /** The only engines for live orders; null = any. */
  readonly live: readonly string[] | null;
  /** The clock of the routes' ends, in ms. */
  readonly now: () => number;
  /** The upstreams' lists of models; a route whose model is gone is not used. */
  readonly lists?: Pick<ModelLists, 'isGone' | 'endOf'>;
  /** The engines of accounts. */
  readonly instances?: Pick<OwnedInstances, 'of' | 'kinds'>;
}

/** The routes of models to configured engines, and to the engines of accounts. */
export class ModelRoutes {
  readonly #engines: ReadonlyMap<string, Engine>;
  readonly #options: ModelRoutesOptions;
  readonly #byKind: ReadonlyMap<string, readonly Engine[]>;

  constructor(engines: ReadonlyMap<string, Engine>, options: ModelRoutesOptions) {
    this.#engines = engines;
    this.#options = options;
    this.#byKind = Map.groupBy(engines.values(), kindOf);
  }

  /**
   * Returns the routes that can get live orders.
   * @param isKeyed whether they lead to the account's own upstream keys; default: if it has one for the model
   */
  usable(model: Model, account: string | null, isKeyed?: boolean): CatalogRoute[] {
    return this.configured(model, account, isKeyed).filter(
      (route) => !this.isClosed(route) && this.canMake(route.engine, model),
    );
  }

  /** Returns the routes to configured engines, also those that have ended. */
  configured(model: Model, account: string | null, isKeyed = this.usesOwnKey(model, account)): readonly CatalogRoute[] {
    return isKeyed ? this.#toOwned(model, account) : this.#toInstances(model, account);
  }

  usesOwnKey(model: Model, account: string | null): boolean {
    return this.#toOwned(model, account).length > 0;
  }

  /** Tells whether a route has ended, by the catalog or by its upstream's list, or its model is gone. */
  isClosed(route: CatalogRoute): boolean {
    const now = this.#options.now();
    return isOver(route, now) || isOver({ sunset_at: this.endOf(route) }, now) || this.isGone(route);
  }

  /** Tells whether a model is gone. The list read with the operator's key applies to all keys. */
  isGone({ engine, model = null }: { readonly engine: string; readonly model?: string | null }): boolean {
    return this.#options.lists?.isGone({ engine: withoutKey(engine), model }) === true;
  }

  /** Returns the time at which the upstream's list ends a model; null = it states none. */
  endOf({ engine, model = null }: { readonly engine: string; readonly model?: string | null }): string | null {
    return this.#options.lists?.endOf({ engine: withoutKey(engine), model }) ?? null;
  }

  canMake(engine: string, { type }: Model): boolean {
    return this.#engines.get(engine)?.makes?.(type) !== false;
  }

  /** Returns the routes in the order of the catalog, each with its instances in the order of the configuration. */
  #toInstances(model: Model, account: string | null): readonly CatalogRoute[] {
    return model.routes.flatMap((route) =>
      instancesFor(this.#byKind.get(route.engine) ?? [], account)
        .filter((engine) => this.#canUse(engine, route))
        .map(({ name }) => (name === route.engine ? route : { ...route, engine: name })),
    );
  }

  /** Returns the routes to engines of the account. */
  #toOwned(model: Model, account: string | null): readonly CatalogRoute[] {
    const { instances } = this.#options;
    const owned = account === null ? undefined : instances?.of(account);
    if (owned === undefined || owned.size === 0) return [];
    return model.routes.flatMap((route) => {
      const [name, kind] = [owned.get(route.engine), instances?.kinds.get(route.engine)];
      return name !== undefined && kind !== undefined && this.#canUse(kind, route) ? [{ ...route, engine: name }] : [];
    });
  }

  #canUse(engine: Engine, route: CatalogRoute): boolean {
    return this.#options.live?.includes(engine.name) !== false && canServe(engine, route);
  }
}
