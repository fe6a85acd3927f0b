import type { CatalogEntry } from '@darkroom-service/contract';
import type { Model } from '@darkroom-service/contract/catalog';
import { isHidden, mayOrder, type OrderingKey } from '../../accounts/api-key.ts';
import { chooseModel } from '../../orders/choose-model.ts';
import { orderableModels } from '../../orders/model-list.ts';
import type { Upstream } from '../../record/route.ts';
import type { TaskServices } from '../../tasks/task-services.ts';
import type { Config } from '../config/config.ts';

/** Models, as far as a caller may know and order them. */
export interface Models {
  /**
   * Directories with the files of the catalog, that of this program first.
   * @example const [shipped] = kernel.models.directories;
   */
  readonly directories: readonly string[];
  /**
   * Returns a model that the key may order.
   * @throws ServiceError `model_not_found`, `model_not_allowed`, `model_retired`
   * @example const { type } = kernel.models.find(key, 'sketch');
   */
  find(key: OrderingKey, modelId: string): Model;
  /**
   * Tells whether the key may order a model and its account sees it. Whether the catalog has it does not matter.
   * @example const isShown = kernel.models.isOpenTo(key, 'sketch');
   */
  isOpenTo(key: OrderingKey, modelId: string): boolean;
  /**
   * Returns the models that the key can order now, at the prices of its account.
   * @example const names = (await kernel.models.list(key)).map(({ model_id }) => model_id);
   */
  list(key: OrderingKey): Promise<CatalogEntry[]>;
  /**
   * Returns the upstreams that may get live orders of a model, with what excludes them from those of the key.
   * @throws ServiceError `model_not_found`, `model_not_allowed`, `model_retired`
   * @example const open = kernel.models.upstreams(key, 'sketch').filter(({ excluded }) => excluded === null);
   */
  upstreams(key: OrderingKey, modelId: string): readonly Upstream[];
  /**
   * Applies the rules about routes at once, after a change in this process. Others read them within a second.
   * @example await kernel.models.applyRules();
   */
  applyRules(): Promise<void>;
}

/** Opens the models for additions. */
export function openModels(services: TaskServices, { catalogDirectories }: Pick<Config, 'catalogDirectories'>): Models {
  return {
    directories: catalogDirectories,
    find: (key, modelId) => chooseModel(services, key, modelId, null),
    list: (key) => orderableModels(services, key),
    upstreams: (key, modelId) =>
      services.routing.upstreamsOf(
        chooseModel(services, key, modelId, null),
        key.account.id,
        services.routing.ruleOf(key, {}),
      ),
    applyRules: () => services.routing.refreshRules(),
    isOpenTo: (key, modelId) => mayOrder(key, modelId) && !isHidden(key.account, modelId),
  };
}
