import { Button, Group, Stack, Text } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import { perform, useDeed } from '../../api/deeds.ts';
import type { DataOf } from '../../api/operations.ts';
import { notify } from '../../api/undo.ts';
import { useApi } from '../../api/use-api.ts';
import { ErrorNote } from '../../components/error-note.tsx';
import { Toggle } from '../../components/inputs.tsx';
import { ListPanel, singlePage } from '../../components/list-panel.tsx';
import { hasWords } from '../../components/model-search.ts';
import classes from '../../components/records.module.css';
import { SearchInput } from '../../components/search-input.tsx';
import { Mark } from '../../components/status-mark.tsx';
import { Named, Told } from '../../components/words.tsx';
import { formatMoment } from '../../format.ts';
import { pausing } from './pausing.tsx';

type ModelRow = DataOf<'GET /admin/v1/models'>['items'][number];

const RELOAD = 'Reload the catalog';
/** Number of further rows at each press. */
const STEP = 20;

/** All models of the catalog with their routes, and the reason why a model is not live. */
export function ModelsView() {
  const models = useApi('GET /admin/v1/models', {});
  const [search, setSearch] = useState('');
  const [onlyNotLive, setOnlyNotLive] = useState(false);
  const [shown, setShown] = useState(STEP);
  const reload = useDeed(
    () => perform('POST /admin/v1/catalog/reload', {}, RELOAD),
    ({ models: count }) => notify(`Catalog reloaded: ${count} models.`),
  );
  const catalog = useApi('GET /v1/catalog', {}, { staleTime: 60_000 });
  const entries = new Map(catalog.data?.items.map((entry) => [entry.model_id, entry]));
  const rows = (models.data?.items ?? []).filter(
    (model) =>
      (!onlyNotLive || !model.availability.live) && hasWords({ ...entries.get(model.model_id), ...model }, search),
  );
  // The rows that operators usually look for come first, not below eighty others.
  rows.sort((left, right) => rank(left) - rank(right));
  return (
    <Stack>
      <ErrorNote title="The catalog was rejected; the current one stays in use" error={reload.error} />
      <ListPanel
        pages={{
          ...singlePage(models, (model) => model.model_id),
          items: models.data && rows.slice(0, shown),
          hasNextPage: rows.length > shown,
          fetchNextPage: () => setShown(shown + STEP),
        }}
        more="Show more"
        title="Models"
        hint="Which engines make each model, and why a model is not live."
        empty="No model matches."
        aside={
          <Group gap="sm">
            <Toggle label="Only those that are not live" value={onlyNotLive} onChange={setOnlyNotLive} />
            <SearchInput label="Search models and vendors" value={search} onChange={setSearch} miw={250} />
            <Button
              variant="default"
              leftSection={<IconRefresh size={16} aria-hidden="true" />}
              loading={reload.isPending}
              onClick={() => reload.mutate()}
            >
              {RELOAD}
            </Button>
          </Group>
        }
        columns={[
          { head: 'Model', phone: 'title', cell: (model) => <ModelName model={model} /> },
          { head: 'Upstreams', phone: 'note', cell: (model) => <Routes routes={model.routes} /> },
          { head: 'State', phone: 'note', cell: (model) => <State model={model} /> },
        ]}
        deedsOnPhone="aside"
        deeds={pausing('model')}
      />
    </Stack>
  );
}

/** Returns the sort order: paused models first, then live ones. */
function rank({ paused, availability }: ModelRow): number {
  return paused ? 0 : availability.live ? 1 : 2;
}

function ModelName({ model }: { readonly model: ModelRow }) {
  return (
    <Named
      name={model.name}
      more={
        <>
          {model.vendor} · <span className={classes.code}>{model.model_id}</span>
        </>
      }
    />
  );
}

/** Each route that can be used or will change, and on one line the engines of the others. */
function Routes({ routes }: { readonly routes: ModelRow['routes'] }) {
  if (routes.length === 0) return 'None';
  const told = routes.filter((route) => route.configured || route.gone || route.sunset_at !== null);
  const others = new Set(routes.filter((route) => !told.includes(route)).map(({ engine }) => engine));
  return (
    <div>
      {told.map((route) => (
        <div key={`${route.engine} ${route.model}`}>
          {route.engine}
          {route.model !== null && <span className={classes.code}> {route.model}</span>}
          <Text span size="xs" c="dimmed">
            {' '}
            {route.configured ? 'configured' : 'not configured'}
            {route.gone && ', no longer listed by the upstream'}
            {route.sunset_at !== null && `, ends ${formatMoment(route.sunset_at)}`}
          </Text>
        </div>
      ))}
      {others.size > 0 && (
        <Text size="xs" c="dimmed">
          {[...others].join(', ')} not configured
        </Text>
      )}
    </div>
  );
}

function State({ model }: { readonly model: ModelRow }) {
  if (model.availability.live) return <Mark tone="good">Live</Mark>;
  return (
    <Told more={model.not_live_because}>
      <Mark tone={model.paused ? 'bad' : 'quiet'}>
        {model.paused ? 'Paused' : model.status === 'retired' ? 'Retired' : 'Test only'}
      </Mark>
    </Told>
  );
}
