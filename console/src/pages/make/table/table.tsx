import type { TaskView as Task } from '@darkroom-service/contract';
import { ActionIcon, Group, Kbd, Popover, Select, Slider, Text, Title } from '@mantine/core';
import { IconArrowLeft, IconKeyboard, IconPlayerPause, IconPlayerPlay, IconZoomReset } from '@tabler/icons-react';
import { Suspense, useCallback, useMemo, useRef, useState } from 'react';
import { Link, useParams } from 'wouter';
import { useBatch } from '../../../api/follow-batch.ts';
import type { CatalogModel } from '../../../api/model.ts';
import { useOrderableModels } from '../../../api/use-models.ts';
import { BatchActions, BatchState, LIGHT_TABLE } from '../../../components/batches/batch-state.tsx';
import { PlainButton, SmallButton } from '../../../components/buttons.ts';
import { useFilmsInStep } from '../../../components/compare/films-in-step.ts';
import { ErrorNote } from '../../../components/error-note.tsx';
import { IconButton } from '../../../components/icon-button.tsx';
import { lazyPart } from '../../../components/lazy-part.ts';
import { useSelection } from '../../../components/selection/use-selection.ts';
import { hasResult, promptOf } from '../../../components/task-facts.ts';
import { Small } from '../../../components/words.tsx';
import { frameTexts } from '../../../texts/frame.ts';
import { OrderFault } from '../order/order-fault.tsx';
import { OrderingContext, useNewOrdering } from '../order/use-ordering.ts';
import { WorkSelection } from '../wall/work-selection.tsx';
import { type Marks, markIn, useMarks } from './marks.ts';
import { Results } from './results.tsx';
import classes from './table.module.css';
import { axesOf, axisLabel, layOut, MODEL, viewOf } from './table-layout.ts';
import { type CellSize, useCellSize } from './use-cell-size.ts';

/** The page of an ordered table, in the whole width. */
export function TablePage() {
  const { batchId = '' } = useParams<{ batchId: string }>();
  return <Table key={batchId} batchId={batchId} />;
}

const MoreLikeThis = lazyPart(async () => (await import('./more-like-this.tsx')).MoreLikeThis);
const FullScreen = lazyPart(async () => (await import('../../../components/full-screen.tsx')).FullScreen);
const NO_MODELS: readonly CatalogModel[] = [];

/** An ordered table: its results side by side, also while they are being made. */
function Table({ batchId }: { readonly batchId: string }) {
  const { batch, tasks, error, interrupted } = useBatch(batchId);
  const { models = NO_MODELS } = useOrderableModels();
  const [chosenAxis, setAxis] = useState<string | null>(null);
  const [shown, setShown] = useState<Shown>('all');
  const [like, setLike] = useState<Task | null>(null);
  const [large, setLarge] = useState<string | null>(null);
  const ordering = useNewOrdering(true);
  const root = useRef<HTMLDivElement>(null);
  const films = useFilmsInStep(root);
  const layout = useMemo(() => layOut(tasks), [tasks]);
  const axes = useMemo(() => axesOf(layout), [layout]);
  const axis = axes.find((name) => name === chosenAxis) ?? axes[0] ?? MODEL;
  const names = useMemo(() => new Map(models.map(({ model_id: id, name }) => [id, name])), [models]);
  const nameOf = useCallback((id: string) => names.get(id) ?? id, [names]);
  const view = useMemo(() => viewOf(layout, axis, nameOf), [layout, axis, nameOf]);
  const size = useCellSize(view);
  const marking = useMarks(batchId, [...new Set(tasks.map(({ type }) => type))]);
  const { marks } = marking;
  const vendors = useMemo(() => new Map(models.map(({ model_id: id, vendor }) => [id, vendor])), [models]);
  const areDrawings = batch?.mode === 'test' && tasks.some(({ model_id: id }) => vendors.get(id) !== 'Darkroom');
  const isIncluded = (task: Task) => {
    const mark = markIn(marks, task.task_id);
    if (shown === 'starred') return mark.star;
    if (shown === 'kept') return !mark.rejected;
    return shown === 'all' || mark.tags.includes(shown.slice('tag:'.length));
  };
  // In the order of the display, for ranges.
  const choosable = view.rows
    .flatMap((row) => row.tasks)
    .flatMap((task) =>
      hasResult(task) && isIncluded(task) ? [{ ...task, tags: [...(marks[task.task_id] ?? [])] }] : [],
    );
  const selection = useSelection(
    choosable.map(({ task_id: id }) => id),
    batchId,
  );

  if (error !== null && batch === null)
    return (
      <>
        <BackLink />
        <ErrorNote title="This table is not there" error={error} />
      </>
    );
  const title = batch?.metadata[LIGHT_TABLE] ?? (tasks[0] === undefined ? '' : promptOf(tasks[0]));
  return (
    <OrderingContext value={ordering}>
      <div ref={root}>
        <BackLink />
        {like === null && ordering.unconfirmed !== null && <OrderFault />}
        <Group justify="space-between" align="flex-start" gap="md" className={classes.head ?? ''}>
          <div className={classes.heads}>
            <Title order={1} size="h2" className={classes.title ?? ''} dir="auto">
              {title === '' ? 'Table' : title}
            </Title>
            <div className={`${classes.status} figures`} role="status">
              {batch !== null && <BatchState batch={batch} />}
              {interrupted ? <span>Reconnecting …</span> : batch === null && frameTexts.loading}
            </div>
          </div>
          {batch !== null && (
            <Group gap="xs">
              <SmallButton component={Link} href={`/batches/${batchId}`}>
                On the wall
              </SmallButton>
              <BatchActions batch={batch} />
            </Group>
          )}
        </Group>
        <ErrorNote title="The star, rejection or tag could not be stored" error={marking.error} />
        <Tools
          marks={marks}
          size={size}
          axes={axes}
          axis={axis}
          onAxis={setAxis}
          shown={shown}
          onShown={setShown}
          films={tasks.some((task) => task.type === 'video' && hasResult(task)) ? films : null}
        />
        <div ref={size.ref} className={classes.results}>
          {size.fitted !== null && (
            <Results
              view={view}
              fitted={size.fitted}
              marking={marking}
              nameOf={nameOf}
              isIncluded={isIncluded}
              isFiltered={shown !== 'all'}
              selection={selection}
              onMore={setLike}
              onLarge={setLarge}
            />
          )}
        </div>
        {areDrawings && (
          <Small mt="md" role="note">
            A test key had these drawn by the built-in illustrator, whatever their models: they are no comparison of
            them.
          </Small>
        )}
        <Small mt="md">Stars, tags and rejections are tags of the orders: the wall and programs see them too.</Small>
        <WorkSelection
          selection={selection}
          tasks={choosable}
          zipName={batchId}
          fileOf={({ batch_name: name, task_id: id }) => name ?? id}
          canDelete={false}
          nameOf={nameOf}
        />
        <Suspense>
          {like !== null && <MoreLikeThis task={like} onClose={() => setLike(null)} />}
          {large !== null && (
            <FullScreen tasks={choosable} taskId={large} onMove={setLarge} onClose={() => setLarge(null)} />
          )}
        </Suspense>
      </div>
    </OrderingContext>
  );
}

function BackLink() {
  return (
    <Link href="/" className={classes.back ?? ''}>
      <IconArrowLeft size={16} aria-hidden="true" /> Make
    </Link>
  );
}

const SHOWS = { all: 'All', starred: 'Starred', kept: 'Not rejected' };
const KEYS = [
  ['Arrows', 'move'],
  ['V', 'select'],
  ['S', 'star'],
  ['X', 'reject'],
  ['T', 'tag'],
  ['C', 'compare the selected'],
  ['M', 'more like this'],
  ['Space, Enter', 'enlarge'],
];

/** Filter of the shown results: all, by their marks, or by a tag. */
type Shown = keyof typeof SHOWS | `tag:${string}`;

/** The display settings of the table: cell size, columns, filter, and whether films play. */
function Tools({
  marks,
  size,
  axes,
  axis,
  onAxis,
  shown,
  onShown,
  films,
}: {
  readonly marks: Marks;
  readonly size: CellSize;
  /** Fields that can determine the columns. */
  readonly axes: readonly string[];
  readonly axis: string;
  readonly onAxis: (axis: string) => void;
  readonly shown: Shown;
  readonly onShown: (shown: Shown) => void;
  /** Null if there are only pictures. */
  readonly films: { readonly isPlaying: boolean; readonly toggle: () => void } | null;
}) {
  const tags = [...new Set(Object.keys(marks).flatMap((taskId) => markIn(marks, taskId).tags))].sort();
  const options = [
    ...Object.entries(SHOWS).map(([value, label]) => ({ value: value as Shown, label })),
    ...tags.map((tag) => ({ value: `tag:${tag}` as Shown, label: `Tagged: ${tag}` })),
  ];
  return (
    <div className={classes.tools} role="toolbar" aria-label="Tools">
      <Group gap={8} wrap="nowrap" className={classes.zoom ?? ''}>
        <Slider
          className={classes.zoomSlider ?? ''}
          min={size.least}
          max={size.most}
          step={4}
          value={size.fitted?.cell ?? size.least}
          onChange={size.choose}
          label={(value) => (value > size.least ? `${value} px` : 'Everything')}
          thumbLabel="Size of the pictures"
          size={4}
        />
        <IconButton label="Fit" variant="default" size={34} onClick={() => size.choose(null)}>
          <IconZoomReset size={18} stroke={1.6} />
        </IconButton>
      </Group>
      {axes.length > 1 && (
        <Select
          className={classes.shown ?? ''}
          size="sm"
          aria-label="Columns"
          data={axes.map((name) => ({ value: name, label: `Columns: ${axisLabel(name)}` }))}
          value={axis}
          onChange={(name) => name !== null && onAxis(name)}
          allowDeselect={false}
        />
      )}
      <Select
        className={classes.shown ?? ''}
        size="sm"
        aria-label="Show"
        data={options}
        value={options.some(({ value }) => value === shown) ? shown : 'all'}
        onChange={(value) => onShown((value ?? 'all') as Shown)}
        allowDeselect={false}
      />
      {films !== null && (
        <PlainButton
          size="sm"
          leftSection={films.isPlaying ? <IconPlayerPause size={16} /> : <IconPlayerPlay size={16} />}
          onClick={films.toggle}
        >
          {films.isPlaying ? 'Pause all' : 'Play all'}
        </PlainButton>
      )}
      <KeyList />
    </div>
  );
}

function KeyList() {
  return (
    <Popover position="bottom-end" width={240}>
      <Popover.Target>
        <ActionIcon size={34} variant="default" aria-label="Keys" className={classes.keys ?? ''}>
          <IconKeyboard size={18} stroke={1.6} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown>
        <dl className={classes.keyList}>
          {KEYS.map(([key, what]) => (
            <div key={key}>
              <dt>
                <Kbd size="xs">{key}</Kbd>
              </dt>
              <dd>
                <Text size="sm">{what}</Text>
              </dd>
            </div>
          ))}
        </dl>
      </Popover.Dropdown>
    </Popover>
  );
}
