import type { CatalogModel } from './model.ts';
import { useApi } from './use-api.ts';

const FRESH_MS = 60_000;

/** Returns the models that the key in use can order, at its prices. Undefined while they load. */
export function useOrderableModels(): {
  readonly models: readonly CatalogModel[] | undefined;
  readonly error: Error | null;
} {
  const { data, error } = useApi('GET /v1/models', {}, { staleTime: FRESH_MS });
  return { models: data?.items as readonly CatalogModel[] | undefined, error };
}

/** Returns all public models. Those that the key in use can order have the key's prices; `orderable` marks them. */
export function useCatalog(): {
  readonly models: readonly CatalogModel[];
  readonly orderable: ReadonlySet<string>;
  readonly isPending: boolean;
  readonly error: Error | null;
} {
  const { models, error } = useOrderableModels();
  const own = models ?? [];
  const { data, error: fault } = useApi('GET /v1/catalog', {}, { staleTime: FRESH_MS });
  const orderable = new Set(own.map(({ model_id: id }) => id));
  const others = ((data?.items ?? []) as unknown as CatalogModel[]).filter(({ model_id: id }) => !orderable.has(id));
  const isPending = models === undefined || data === undefined;
  return { models: [...own, ...others], orderable, isPending, error: error ?? fault };
}
