import type { ComparedOrder } from '@darkroom-service/contract/task';
import { type CatalogModel, type Values, valuesThatFit } from '../../api/model.ts';
import { useApi } from '../../api/use-api.ts';

const MOST_COMPARED = 200;

/**
 * Returns what an order with the values that are set costs at each model, and whether it can be made now. All in one
 * request.
 */
export function useSetPrices(
  models: readonly CatalogModel[],
  orderable: ReadonlySet<string>,
  values: Values,
): ReadonlyMap<string, ComparedOrder> {
  const asked = models.filter(({ model_id: id }) => orderable.has(id)).slice(0, MOST_COMPARED);
  const { prompt: _prompt, ...others } = values;
  // The prompt may be so long that a request does not hold it once for each model. Few prices depend on it.
  const orders = asked.map((model) => ({
    ...valuesThatFit(isPricedByPrompt(model) ? values : others, model),
    model_id: model.model_id,
  }));
  const { data } = useApi(
    'POST /v1/prices/compare',
    { body: { orders } as never },
    { enabled: orders.length > 0, staleTime: 60_000 },
  );
  return new Map((data?.items ?? []).map((item, index) => [asked[index]?.model_id ?? '', item]));
}

function isPricedByPrompt({ pricing }: CatalogModel): boolean {
  return pricing.components.some(({ formula }) => formula?.name === 'prompt_tokens');
}
