import { useMediaQuery } from '@mantine/hooks';
import { Suspense, useEffect, useRef } from 'react';
import { useLocation, useParams } from 'wouter';
import { useTask } from '../../api/follow-task.ts';
import { type CatalogModel, OURS } from '../../api/model.ts';
import { recalledStore } from '../../api/order-again.ts';
import { type Mode, useSession } from '../../api/session.ts';
import { useStore } from '../../api/store.ts';
import { useApi } from '../../api/use-api.ts';
import { MOST_COMPARED, useComparedPrices, useOrderableModels } from '../../api/use-models.ts';
import { ErrorNote } from '../../components/error-note.tsx';
import { lazyPart, useLoadedParts } from '../../components/lazy-part.ts';
import { Composer } from './composer.tsx';
import { setModel, setValue, useDraft } from './draft.ts';
import { DRAWN_BY } from './example-card.tsx';
import classes from './make.module.css';
import { OfferFault } from './order/order-fault.tsx';
import { OrderingContext, useNewOrdering } from './order/use-ordering.ts';
import type { OffersOf } from './wall/wall-tile.tsx';

const Stage = lazyPart(async () => (await import('./stage.tsx')).Stage);
const Work = lazyPart(async () => (await import('./wall/work.tsx')).Work);
const Beginning = lazyPart(async () => (await import('./beginning.tsx')).Beginning);
const TableForm = lazyPart(async () => (await import('./table/table-form.tsx')).TableForm);
const TileOffers = lazyPart(async () => (await import('./tile-offers.tsx')).TileOffers);
const BENCH = [Stage, Work];

const offersOf: OffersOf = (task, name) => (
  <Suspense>
    <TileOffers task={task} name={name} />
  </Suspense>
);

/** The place Make: the order form, and beside it the latest result above the wall of the user's own work. */
export function MakePage() {
  const {
    shownId = null,
    openId = null,
    batchId,
  } = useParams<{ shownId?: string; openId?: string; batchId?: string }>();
  const [location] = useLocation();
  const isTable = location === '/light';
  const { models, error } = useOrderableModels();
  const draft = useDraft();
  const ordering = useNewOrdering();
  const { mode } = useSession();
  const found = models?.find(({ model_id: id }) => id === draft.modelId);
  const isOpen = draft.isPreset || found === undefined;
  const last = useLastModel(isOpen && mode === 'live');
  const prices = useFirstPrices(isOpen && mode === 'live' && last === null ? models : undefined);
  const isKnown = models !== undefined && (mode === 'test' || (last !== undefined && prices !== undefined));
  const preset = isOpen && isKnown ? presetModel(models, last ?? null, mode, prices ?? NO_PRICES) : undefined;
  const model = isOpen ? preset : found;
  const isBenchLoaded = useLoadedParts(BENCH);
  const bench = useRef<HTMLDivElement>(null);
  const isNarrow = useMediaQuery('(max-width: 62em)') ?? false;
  // An order opened from the wall does not move the result.
  const kept = useRef<string | null>(null);
  if (openId === null) kept.current = shownId;
  const stageId = kept.current;
  const task = useTask(stageId);

  useEffect(() => {
    if (preset !== undefined && preset.model_id !== draft.modelId) setModel(preset, true);
  }, [preset, draft.modelId]);

  const recalled = useStore(recalledStore);
  useEffect(() => {
    if (recalled === null || model === undefined) return;
    recalledStore.set(null);
    if (recalled.name in model.parameters) setValue(recalled.name, recalled.value);
  }, [recalled, model]);

  // If the result is below the form, scrolls to it.
  useEffect(() => {
    if (stageId !== null && isNarrow && isBenchLoaded)
      bench.current?.scrollIntoView({ behavior: 'smooth', block: 'start' });
  }, [stageId, isNarrow, isBenchLoaded]);

  return (
    <OrderingContext value={ordering}>
      <div className={classes.page}>
        {isTable ? (
          <Suspense fallback={<div />}>
            <TableForm />
          </Suspense>
        ) : error !== null && models === undefined ? (
          <ErrorNote error={error} />
        ) : (
          <Composer model={model} />
        )}
        <div className={classes.bench} ref={bench}>
          <Suspense>
            {isBenchLoaded && (
              <>
                {stageId !== null && <Stage task={task.data} error={task.error} />}
                <OfferFault />
                <Work
                  openId={openId}
                  batchId={batchId}
                  home={stageId === null ? '/' : `/t/${stageId}`}
                  beginning={<Beginning />}
                  offersOf={offersOf}
                />
              </>
            )}
          </Suspense>
        </div>
      </div>
    </OrderingContext>
  );
}

/**
 * Returns the initial model. For a test key it is the built-in one; for a live key the one used last, otherwise the one
 * of a vendor whose order without further settings is the cheapest: nobody should pay for drawings without choosing
 * them.
 * @param models models that the key can order
 * @param last the model that the key used last
 * @param prices the price of such an order, by model
 */
function presetModel(
  models: readonly CatalogModel[],
  last: string | null,
  mode: Mode,
  prices: ReadonlyMap<string, number>,
): CatalogModel | undefined {
  const named = (id: string | null) => models.find(({ model_id }) => model_id === id);
  if (mode === 'test') return named(DRAWN_BY) ?? models[0];
  const priceOf = ({ model_id: id }: CatalogModel) => prices.get(id) ?? Number.MAX_SAFE_INTEGER;
  const byPrice = models.filter(isFirstChoice).toSorted((left, right) => priceOf(left) - priceOf(right));
  return named(last) ?? byPrice[0] ?? models[0];
}

function isFirstChoice({ type, vendor }: CatalogModel): boolean {
  return type === 'image' && vendor !== OURS;
}

const NO_PRICES: ReadonlyMap<string, number> = new Map();

/** Returns what an order without further settings costs, by model, of those to begin with; undefined while it loads. */
function useFirstPrices(models: readonly CatalogModel[] | undefined): ReadonlyMap<string, number> | undefined {
  const asked = (models ?? []).filter(isFirstChoice).slice(0, MOST_COMPARED);
  const { data, isLoading } = useComparedPrices(asked.map(({ model_id }) => ({ model_id })));
  if (isLoading) return undefined;
  const items = data?.items ?? [];
  return new Map(
    asked.flatMap(({ model_id: id }, index) => {
      const quote = items[index]?.quote ?? null;
      return quote === null ? [] : [[id, Number(quote.amount)] as const];
    }),
  );
}

const NEWEST = { query: { limit: 1 } };

/** Returns the model that this key used last, null if there is none; undefined while it loads. */
function useLastModel(enabled: boolean): string | null | undefined {
  const images = useApi('GET /v1/images', NEWEST, { enabled });
  const videos = useApi('GET /v1/videos', NEWEST, { enabled });
  if (images.isPending || videos.isPending) return undefined;
  const [newest] = [...(images.data?.items ?? []), ...(videos.data?.items ?? [])].sort((left, right) =>
    right.created_at.localeCompare(left.created_at),
  );
  return newest?.model_id ?? null;
}
