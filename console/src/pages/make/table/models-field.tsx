import { type ComboboxItem, type ComboboxItemGroup, MultiSelect, Text } from '@mantine/core';
import type { CatalogModel } from '../../../api/model.ts';
import { MOST_COMPARED, useComparedPrices } from '../../../api/use-models.ts';
import { hasWords } from '../../../components/model-search.ts';
import { formatMoney } from '../../../format.ts';
import { changeDraft } from './draft.ts';

/** The models of the table, in the order of its columns. */
export function ModelsField({
  models,
  chosen,
  label = 'Models',
  onChange = (modelIds) => changeDraft({ modelIds, leftOut: [] }),
}: {
  readonly models: readonly CatalogModel[];
  readonly chosen: readonly string[];
  readonly label?: string;
  readonly onChange?: (modelIds: readonly string[]) => void;
}) {
  const vendors = [...new Set(models.map(({ vendor }) => vendor))];
  const byId = new Map(models.map((model) => [model.model_id, model]));
  const { data } = useComparedPrices(models.slice(0, MOST_COMPARED).map(({ model_id }) => ({ model_id })));
  const prices = new Map(models.map(({ model_id: id }, index) => [id, data?.items[index]?.quote?.amount]));
  const priceOf = (id: string) => {
    const price = prices.get(id);
    return price === undefined ? '' : formatMoney(price);
  };
  return (
    <MultiSelect
      label={label}
      description="The models that make something of a prompt alone."
      placeholder={chosen.length === 0 ? 'Add a model' : ''}
      data={vendors.map((group) => ({
        group,
        items: models
          .filter(({ vendor }) => vendor === group)
          .map(({ model_id: value, name }) => ({ value, label: name })),
      }))}
      value={chosen.filter((id) => prices.has(id))}
      onChange={onChange}
      searchable
      selectFirstOptionOnChange
      filter={({ options, search }) =>
        (options as ComboboxItemGroup<ComboboxItem>[])
          .map(({ group, items }) => ({ group, items: items.filter(({ value }) => isFound(byId.get(value), search)) }))
          .filter(({ items }) => items.length > 0)
      }
      hidePickedOptions
      nothingFoundMessage="No model of this name"
      maxDropdownHeight={320}
      renderOption={({ option }) => (
        <>
          <span>{option.label}</span>
          <Text span size="xs" c="dimmed" ml="auto" className="figures">
            {priceOf(option.value)}
          </Text>
        </>
      )}
    />
  );
}

/** Returns the models that need only a prompt. */
export function promptModels(models: readonly CatalogModel[], type: CatalogModel['type']): readonly CatalogModel[] {
  const isEnough = ({ required }: CatalogModel) =>
    required.length === 0 || required.some((list) => list.every((name) => name === 'prompt'));
  return models.filter((model) => model.type === type && 'prompt' in model.parameters && isEnough(model));
}

function isFound(model: CatalogModel | undefined, search: string): boolean {
  return model !== undefined && hasWords(model, search);
}
