import type { CatalogModel, Values } from './model.ts';
import { useApi } from './use-api.ts';

const FRESH_MS = 60_000;
/** Maximum number of orders that one request compares. */
export const MOST_COMPARED = 200;

/** Returns the prices of orders, and whether they can be placed now. One request reads them all. */
export function useComparedPrices(orders: readonly Values[]) {
  const request = { body: { orders } as never };
  return useApi('POST /v1/prices/compare', request, { enabled: orders.length > 0, staleTime: FRESH_MS });
}

/** Returns the models that the key in use can order, at its prices. Undefined while they load. */
export function useOrderableModels() {
  const { data, error } = useApi('GET /v1/models', {}, { staleTime: FRESH_MS });
  return { models: data?.items as readonly CatalogModel[] | undefined, error };
}

/** Returns the model of an order, if the key in use can order it now; undefined also while the models load. */
export function useModel(modelId: string): CatalogModel | undefined {
  return useOrderableModels().models?.find(({ model_id: id }) => id === modelId);
}

/** Returns all public models. Those that the key in use can order have the key's prices; `orderable` marks them. */
export function useCatalog() {
  const { models, error } = useOrderableModels();
  const own = models ?? [];
  const { data, error: fault } = useApi('GET /v1/catalog', {}, { staleTime: FRESH_MS });
  const orderable = new Set(own.map(({ model_id: id }) => id));
  const others = ((data?.items ?? []) as unknown as CatalogModel[]).filter(({ model_id: id }) => !orderable.has(id));
  const isPending = models === undefined || data === undefined;
  return { models: [...own, ...others], orderable, isPending, error: error ?? fault };
}
