import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { perform } from '../../api/deeds.ts';
import type { DataOf } from '../../api/operations.ts';
import { refresh, useApi } from '../../api/use-api.ts';
import { DialogAbout } from '../../components/dialog.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { atOnce, ListPanel } from '../../components/list-panel.tsx';
import { hasWords } from '../../components/model-search.ts';
import classes from '../../components/records.module.css';
import { SearchInput } from '../../components/search-input.tsx';
import { Mark } from '../../components/status-mark.tsx';
import { Toggle } from '../../components/toggle.tsx';
import { Named, Told } from '../../components/two-lines.tsx';
import { formatMoment } from '../../format.ts';
import { frameTexts } from '../../texts/frame.ts';
import { operationsTexts } from '../../texts/operations.ts';
import { PauseForm } from './pause-form.tsx';
import { useSwitch } from './use-switch.ts';

type ModelRow = DataOf<'GET /admin/v1/models'>['items'][number];

const texts = operationsTexts.models;
/** Rows that are shown more at each press. */
const STEP = 20;

/** All models of the catalog with their routes, and why a model is not live. */
export function ModelsView() {
  const models = useApi('GET /admin/v1/models', {});
  const [search, setSearch] = useState('');
  const [onlyNotLive, setOnlyNotLive] = useState(false);
  const [shown, setShown] = useState(STEP);
  const [asked, setAsked] = useState<string | null>(null);
  const { resume } = useSwitch('model');
  const reload = useMutation({
    mutationFn: () => perform('POST /admin/v1/catalog/reload', {}, texts.reload),
    onSuccess: () => refresh('GET /admin/v1/models', 'GET /v1/models', 'GET /v1/catalog', 'GET /admin/v1/audit'),
  });
  const catalog = useApi('GET /v1/catalog', {}, { staleTime: 60_000 });
  const entries = new Map(catalog.data?.items.map((entry) => [entry.model_id, entry]));
  const rows = (models.data?.items ?? []).filter(
    (model) =>
      (!onlyNotLive || !model.availability.live) && hasWords({ ...entries.get(model.model_id), ...model }, search),
  );
  // What an operator is likely to look for is not below eighty others.
  rows.sort((left, right) => rank(left) - rank(right));
  return (
    <Stack>
      {reload.error !== null && <ErrorNote title={texts.reloadFailed} error={reload.error} />}
      {resume.error !== null && <ErrorNote error={resume.error} />}
      {reload.data !== undefined && (
        <Alert color="green" variant="light" role="status">
          {texts.reloaded(reload.data.models)}
        </Alert>
      )}
      <ListPanel
        pages={{
          ...atOnce(models),
          items: models.data && rows.slice(0, shown),
          hasNextPage: rows.length > shown,
          fetchNextPage: () => setShown(shown + STEP),
        }}
        more={texts.more}
        title={frameTexts.views.models}
        hint={texts.hint}
        empty={texts.empty}
        aside={
          <Group gap="sm">
            <Toggle label={texts.onlyNotLive} isOn={onlyNotLive} onChange={setOnlyNotLive} />
            <SearchInput label={texts.search} value={search} onChange={setSearch} miw={250} />
            <Button
              variant="default"
              leftSection={<IconRefresh size={16} aria-hidden="true" />}
              loading={reload.isPending}
              onClick={() => reload.mutate()}
            >
              {texts.reload}
            </Button>
          </Group>
        }
        rowKey={(model) => model.model_id}
        columns={[
          { head: texts.heads.model, phone: 'title', cell: (model) => <ModelName model={model} /> },
          { head: texts.heads.routes, phone: 'note', cell: (model) => <Routes routes={model.routes} /> },
          { head: texts.heads.state, phone: 'note', cell: (model) => <State model={model} /> },
          {
            head: texts.heads.actions,
            phone: 'aside',
            actions: true,
            cell: (model) =>
              model.paused ? (
                <Button
                  size="xs"
                  aria-label={operationsTexts.engines.resumeOf(model.name)}
                  loading={resume.isPending && resume.variables === model.model_id}
                  onClick={() => resume.mutate(model.model_id)}
                >
                  {operationsTexts.engines.resume}
                </Button>
              ) : (
                <Button
                  size="xs"
                  variant="default"
                  aria-label={operationsTexts.engines.pauseOf(model.name)}
                  onClick={() => setAsked(model.model_id)}
                >
                  {operationsTexts.engines.pause}
                </Button>
              ),
          },
        ]}
      />
      <DialogAbout about={asked} title={operationsTexts.pause.title} onClose={() => setAsked(null)}>
        {(name) => <PauseForm kind="model" name={name} onClose={() => setAsked(null)} />}
      </DialogAbout>
    </Stack>
  );
}

/** Paused models first, then those that are live. */
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

/** Each route that can be used or will change, and the engines of the others in one line. */
function Routes({ routes }: { readonly routes: ModelRow['routes'] }) {
  if (routes.length === 0) return texts.noRoutes;
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
            {route.configured ? texts.configured : texts.notConfigured}
            {route.gone && `, ${texts.gone}`}
            {route.sunset_at !== null && `, ${texts.ends(formatMoment(route.sunset_at))}`}
          </Text>
        </div>
      ))}
      {others.size > 0 && (
        <Text size="xs" c="dimmed">
          {[...others].join(', ')} {texts.notConfigured}
        </Text>
      )}
    </div>
  );
}

function State({ model }: { readonly model: ModelRow }) {
  if (model.availability.live) return <Mark tone="good">{texts.live}</Mark>;
  return (
    <Told more={model.not_live_because}>
      <Mark tone={model.paused ? 'bad' : 'quiet'}>
        {model.paused ? operationsTexts.engines.paused : model.status === 'retired' ? texts.retired : texts.notLive}
      </Mark>
    </Told>
  );
}
