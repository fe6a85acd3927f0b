import type { ComparedOrder } from '@darkroom-service/contract';
import { Badge, Group, Select, Skeleton, Switch, UnstyledButton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconInfoCircle } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { type CatalogModel, type Values, valuesThatFit } from '../../api/model.ts';
import { useSession } from '../../api/session.ts';
import { MOST_COMPARED, useCatalog, useComparedPrices } from '../../api/use-models.ts';
import { Dialog } from '../../components/dialog.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Segments } from '../../components/inputs.tsx';
import { SearchInput } from '../../components/search-input.tsx';
import { Mark } from '../../components/status-mark.tsx';
import { Hint } from '../../components/words.tsx';
import { formatAbout, formatMany, formatMoney } from '../../format.ts';
import { frameTexts } from '../../texts/frame.ts';
import { studioTexts } from '../../texts/studio.ts';
import { useDraft } from './draft.ts';
import { filterModels, type Hindrance, hindranceOf, isDelayed, type ModelFilter, NO_FILTER } from './filter-models.ts';
import card from './model-card.module.css';
import classes from './model-gallery.module.css';
import { useModelPictures } from './model-pictures.ts';

const texts = studioTexts.model;
const TYPES = { all: 'All', image: 'Images', video: 'Videos' };
const SORTS = [
  { value: 'price', label: 'Cheapest first' },
  { value: 'speed', label: 'Fastest first' },
  { value: 'name', label: 'By vendor' },
];

/** A gallery of all models with search and filters. */
export function ModelGallery({
  chosen,
  onChoose,
  onClose,
}: {
  readonly chosen: string;
  readonly onChoose: (model: CatalogModel) => void;
  readonly onClose: () => void;
}) {
  const { models, orderable, isPending, error } = useCatalog();
  const { mode } = useSession();
  const { values } = useDraft();
  const prices = useSetPrices(models, orderable, values);
  const pictures = useModelPictures(models);
  // Shown once it is whole, so that no card moves away from the pointer.
  const isLoading = (isPending && error === null) || prices === undefined || pictures === undefined;
  const [filter, setFilter] = useState<ModelFilter>(NO_FILTER);
  const isNarrow = useMediaQuery('(max-width: 48em)') ?? false;
  const change = (part: Partial<ModelFilter>) => setFilter({ ...filter, ...part });
  const found = isLoading ? [] : filterModels(models, orderable, filter, prices);
  const hasPicture = ({ model_id: id }: CatalogModel) => orderable.has(id) && pictures?.has(id) === true;
  const pictured = found.filter(hasPicture);
  const others = found.filter((model) => !hasPicture(model));
  const shown = [...pictured, ...others];
  const cardOf = (model: CatalogModel) => (
    <ModelCard
      key={model.model_id}
      model={model}
      chosen={model.model_id === chosen}
      delayed={orderable.has(model.model_id) && isDelayed(model, mode)}
      hindrance={orderable.has(model.model_id) ? null : hindranceOf(model, mode)}
      asSet={prices?.get(model.model_id)}
      picture={hasPicture(model) ? pictures?.get(model.model_id) : undefined}
      onChoose={() => onChoose(model)}
    />
  );
  return (
    <Dialog
      onClose={onClose}
      size="72rem"
      fullScreen={isNarrow}
      title="Choose a model"
      classNames={{ title: classes.title ?? '', body: classes.body ?? '' }}
      centered={false}
    >
      <div className={classes.filters}>
        <SearchInput
          label="Search models, vendors, features"
          className={classes.search ?? ''}
          value={filter.words}
          onChange={(words) => change({ words })}
          onKeyDown={(event) => {
            const first = shown.find(({ model_id: id }) => orderable.has(id));
            if (event.key !== 'Enter' || filter.words === '' || first === undefined) return;
            // Otherwise the button that opened the gallery, which has the focus next, would be pressed.
            event.preventDefault();
            onChoose(first);
          }}
          data-autofocus
        />
        <Segments
          label="What it makes"
          className={classes.kinds ?? ''}
          words={TYPES}
          value={filter.type}
          onChange={(type) => change({ type })}
        />
        <Select
          aria-label="Sort"
          data={SORTS}
          value={filter.sort}
          onChange={(sort) => change({ sort: (sort ?? 'name') as ModelFilter['sort'] })}
          allowDeselect={false}
        />
        <Switch
          className={classes.live ?? ''}
          label="Available live"
          checked={filter.liveOnly}
          onChange={({ currentTarget }) => change({ liveOnly: currentTarget.checked })}
        />
      </div>
      <Hint role="status" my="sm">
        {isLoading ? frameTexts.loading : formatMany(shown.length, 'model')}
      </Hint>
      {isLoading ? (
        <Skeleton h="50dvh" radius={14} aria-hidden="true" />
      ) : shown.length === 0 ? (
        <EmptyState
          title="No model matches"
          text="Remove a filter, or search for another word."
          action="Clear all filters"
          onAction={() => setFilter(NO_FILTER)}
        />
      ) : (
        <>
          {pictured.length > 0 && <div className={classes.grid}>{pictured.map(cardOf)}</div>}
          <div className={classes.rows}>{others.map(cardOf)}</div>
        </>
      )}
    </Dialog>
  );
}

/**
 * Returns the price of an order with the set values for each model, and whether it can be placed now. One request reads
 * them all. Undefined while it loads.
 */
function useSetPrices(
  models: readonly CatalogModel[],
  orderable: ReadonlySet<string>,
  values: Values,
): ReadonlyMap<string, ComparedOrder> | undefined {
  const asked = models.filter(({ model_id: id }) => orderable.has(id)).slice(0, MOST_COMPARED);
  const { prompt: _prompt, ...others } = values;
  // The prompt may be too long to send once for each model. Few prices depend on it.
  const orders = asked.map((model) => ({
    ...valuesThatFit(isPricedByPrompt(model) ? values : others, model),
    model_id: model.model_id,
  }));
  const { data, isLoading } = useComparedPrices(orders);
  if (isLoading) return undefined;
  return new Map((data?.items ?? []).map((item, index) => [asked[index]?.model_id ?? '', item]));
}

function isPricedByPrompt({ pricing }: CatalogModel): boolean {
  return pricing.components.some(({ formula }) => formula?.name === 'prompt_tokens');
}

/** A model of the gallery. */
function ModelCard({
  model,
  chosen,
  hindrance,
  delayed,
  asSet,
  picture,
  onChoose,
}: {
  readonly model: CatalogModel;
  readonly chosen: boolean;
  /** Reason why it cannot be ordered; null if it can. */
  readonly hindrance: Hindrance | null;
  /** Whether its orders wait for its upstream. */
  readonly delayed: boolean;
  /** Price and refusal of an order with the set values; undefined while unknown. */
  readonly asSet: ComparedOrder | undefined;
  /** A picture that the model made here. */
  readonly picture: string | undefined;
  readonly onChoose: () => void;
}) {
  const { typical_seconds: typical } = model;
  const refusal = asSet?.refusal ?? null;
  return (
    <div className={card.cell} data-plain={picture === undefined || undefined}>
      <UnstyledButton
        className={card.card}
        onClick={onChoose}
        disabled={hindrance !== null}
        aria-pressed={chosen}
        data-chosen={chosen || undefined}
        data-plain={picture === undefined || undefined}
        title={
          hindrance !== null
            ? texts.hindrances[hindrance].why
            : (refusal?.message ?? (delayed ? texts.delayedWhy : undefined))
        }
      >
        {picture !== undefined && <img className={card.cover} src={picture} alt="" loading="lazy" />}
        <span className={card.head}>
          <span className={card.words}>
            <span className={card.name}>{model.name}</span>
            <span className={card.vendor}>{model.vendor}</span>
          </span>
          {model.status === 'deprecated' && (
            <Badge flex="none" size="sm" variant="light" color="yellow" tt="none">
              Deprecated
            </Badge>
          )}
        </span>
        <span className={card.foot}>
          <span className="figures">
            <b>{asSet?.quote == null ? '' : formatMoney(asSet.quote.amount)}</b>
          </span>
          <Group component="span" gap={10} wrap="nowrap">
            {hindrance === null && refusal === null && typical !== null && formatAbout(typical.p50)}
            {hindrance !== null ? (
              <Mark tone="quiet">{texts.hindrances[hindrance].word}</Mark>
            ) : refusal !== null ? (
              <Mark tone="quiet">Not as set</Mark>
            ) : (
              delayed && <Mark tone="busy">{texts.delayed}</Mark>
            )}
          </Group>
        </span>
      </UnstyledButton>
      <Link href={`/models/${model.model_id}`} className={card.about ?? ''} aria-label={`About ${model.name}`}>
        <IconInfoCircle size={20} stroke={1.6} aria-hidden="true" />
      </Link>
    </div>
  );
}
