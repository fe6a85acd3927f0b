import { Button, type ComboboxItem, FileButton, Popover, Select, Slider, Stack, TextInput } from '@mantine/core';
import { IconFilter, IconPhotoSearch, IconX } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { ApiError, faultText } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { FAVOURITE } from '../../../api/marks.ts';
import type { DataOf } from '../../../api/operations.ts';
import { useApi } from '../../../api/use-api.ts';
import { batchTitle } from '../../../components/batches/batch-state.tsx';
import { PlainButton } from '../../../components/buttons.ts';
import { isTask } from '../../../components/dragged.ts';
import { IconButton } from '../../../components/icon-button.tsx';
import { Segments } from '../../../components/inputs.tsx';
import { hasWords } from '../../../components/model-search.ts';
import { SearchInput } from '../../../components/search-input.tsx';
import { Fault } from '../../../components/words.tsx';
import { formatCount } from '../../../format.ts';
import { filtersSet, type HistoryFilter, isFiltered, NO_FILTER, SPANS, STATUSES, TYPES } from './history-filter.ts';
import { LEAST_SIZE, ONE_PICTURE, setWallSize, useWallSize } from './wall-size.ts';
import classes from './work.module.css';

/** Maximum number of entries in the lists of batches and of tags. */
const LISTED = 100;
/** Number up to which the service counts. */
const MOST_COUNTED = 1_000;
type Tag = DataOf<'GET /v1/tags'>['items'][number];

/** Lists that open within the popover would otherwise close it. */
const WITHIN = { comboboxProps: { withinPortal: false } } as const;

interface Filtering {
  readonly filter: HistoryFilter;
  readonly onChange: (filter: HistoryFilter) => void;
}

/** A row above the wall: the search, the other filters behind a button, boards, and the size of the pictures. */
export function WorkBar({ filter, onChange, children }: Filtering & { readonly children: ReactNode }) {
  const size = useWallSize();
  const count = filtersSet(filter);
  return (
    <search className={classes.bar} aria-label="Filters">
      <SearchInput
        label="Search"
        placeholder="Prompt, model or task id"
        dir="auto"
        className={classes.search ?? ''}
        value={filter.search}
        onChange={(search) => onChange({ ...filter, search })}
      />
      <Popover position="bottom-start" width={300}>
        <Popover.Target>
          <PlainButton leftSection={<IconFilter size={16} aria-hidden="true" />}>
            {count === 0 ? 'Filters' : `Filters · ${count}`}
          </PlainButton>
        </Popover.Target>
        <Popover.Dropdown>
          <Filters filter={filter} onChange={onChange} />
        </Popover.Dropdown>
      </Popover>
      {isFiltered(filter) && (
        <Button
          variant="subtle"
          color="gray"
          px="xs"
          leftSection={<IconX size={15} aria-hidden="true" />}
          onClick={() => onChange(NO_FILTER)}
        >
          Clear filters
        </Button>
      )}
      {children}
      <span className={classes.end}>
        <Slider
          w="min(110px, 16vw)"
          min={LEAST_SIZE}
          max={ONE_PICTURE}
          value={size}
          onChange={setWallSize}
          label={(value) => (value >= ONE_PICTURE ? 'One picture' : `${value} px`)}
          thumbLabel="Size of the pictures"
          size={4}
        />
        <FindByFile />
      </span>
    </search>
  );
}

/** The filters that are used less than the search. */
function Filters({ filter, onChange }: Filtering) {
  const { data } = useApi('GET /v1/catalog', {}, { staleTime: 300_000 });
  const models = (data?.items ?? []).filter(({ type }) => filter.type === 'all' || type === filter.type);
  const change = (part: Partial<HistoryFilter>) => onChange({ ...filter, ...part });
  return (
    <Stack gap="sm">
      <Segments label="Type" words={TYPES} value={filter.type} onChange={(type) => change({ type })} />
      <Select
        {...WITHIN}
        label="Status"
        allowDeselect={false}
        data={STATUSES}
        value={filter.status}
        onChange={(status) => change({ status: status ?? '' })}
      />
      <Select
        {...WITHIN}
        label="Model"
        placeholder="Any model"
        searchable
        clearable
        nothingFoundMessage="No model of that name"
        data={models.map((model) => ({ value: model.model_id, label: model.name }))}
        filter={({ options, search }) => {
          const found = new Set(models.filter((model) => hasWords(model, search)).map(({ model_id: id }) => id));
          return (options as ComboboxItem[]).filter(({ value }) => found.has(value));
        }}
        value={filter.modelId || null}
        onChange={(modelId) => change({ modelId: modelId ?? '' })}
      />
      <TagFilter tag={filter.tag} onChange={(tag) => change({ tag })} />
      <BatchFilter batchId={filter.batchId} onChange={(batchId) => change({ batchId })} />
      <Select
        {...WITHIN}
        label="When"
        allowDeselect={false}
        data={SPANS}
        value={filter.span}
        onChange={(span) => change({ span: span ?? '' })}
      />
      {filter.span === 'days' && (
        <>
          <TextInput
            type="date"
            label="First day"
            max={filter.to}
            value={filter.from}
            onChange={(event) => change({ from: event.currentTarget.value })}
          />
          <TextInput
            type="date"
            label="Last day"
            min={filter.from}
            value={filter.to}
            onChange={(event) => change({ to: event.currentTarget.value })}
          />
        </>
      )}
      <TextInput
        label="End user"
        placeholder="Your customer’s id"
        maxLength={128}
        value={filter.endUser}
        onChange={(event) => change({ endUser: event.currentTarget.value.trim() })}
      />
    </Stack>
  );
}

/** Filters the wall by a batch: a table, or many orders that a program placed at once. The newest come first. */
function BatchFilter({
  batchId,
  onChange,
}: {
  readonly batchId: string;
  readonly onChange: (batchId: string) => void;
}) {
  const { data } = useApi('GET /v1/batches', { query: { limit: LISTED } });
  const known = (data?.items ?? []).map((batch) => ({ value: batch.batch_id, label: batchTitle(batch) }));
  // Adds an older one from the address.
  const others = batchId === '' || known.some(({ value }) => value === batchId) ? [] : [batchId];
  return (
    <Select
      {...WITHIN}
      label="Batch"
      placeholder="Any batch"
      searchable
      clearable
      nothingFoundMessage="No batch of that name"
      data={[...known, ...others.map((value) => ({ value, label: value }))]}
      value={batchId || null}
      onChange={(value) => onChange(value ?? '')}
    />
  );
}

/** Filters the wall by a tag. The list has all tags with the number of their orders. */
function TagFilter({ tag, onChange }: { readonly tag: string; readonly onChange: (tag: string) => void }) {
  const [typed, setTyped] = useState('');
  const { data } = useApi('GET /v1/tags', { query: { limit: LISTED } });
  const known: readonly Tag[] = data?.items ?? [];
  const choices = [...known].sort((a, b) => Number(b.tag === FAVOURITE) - Number(a.tag === FAVOURITE)).map(choiceOf);
  // The chosen tag may have no orders. If the list is cut, any tag can be typed.
  const others = [tag, data?.has_more === true ? typed.trim() : ''].filter(
    (value, place, all) => value !== '' && all.indexOf(value) === place && !known.some((one) => one.tag === value),
  );
  return (
    <Select
      {...WITHIN}
      label="Tag"
      placeholder="Any tag"
      searchable
      clearable
      nothingFoundMessage="No tag of that name"
      maxLength={40}
      data={[...choices, ...others.map((value) => ({ value, label: nameOf(value) }))]}
      value={tag || null}
      onSearchChange={setTyped}
      onChange={(value) => onChange(value ?? '')}
    />
  );
}

function choiceOf({ tag, tasks }: Tag) {
  const count = tasks < MOST_COUNTED ? formatCount(tasks) : `${formatCount(MOST_COUNTED)}+`;
  return { value: tag, label: `${nameOf(tag)} (${count})` };
}

function nameOf(tag: string): string {
  return tag === FAVOURITE ? '★ Favourites' : tag;
}

/** Opens the order that created a file, which is chosen or dropped on the page. The file stays in the browser. */
function FindByFile() {
  const [, navigate] = useLocation();
  const resetInput = useRef<() => void>(null);
  const find = useMutation({
    mutationFn: findTask,
    onSuccess: (taskId) => navigate(`/history/${taskId}`),
    // Otherwise choosing the same file again would do nothing.
    onSettled: () => resetInput.current?.(),
  });
  const dragOver = useEffectEvent((event: DragEvent) => {
    if (event.dataTransfer?.types.includes('Files') === true && !isTask(event)) event.preventDefault();
  });
  const drop = useEffectEvent((event: DragEvent) => {
    const [file] = event.dataTransfer?.files ?? [];
    if (file === undefined || event.defaultPrevented || isTask(event)) return;
    event.preventDefault();
    find.mutate(file);
  });
  useEffect(() => {
    document.addEventListener('dragover', dragOver);
    document.addEventListener('drop', drop);
    return () => {
      document.removeEventListener('dragover', dragOver);
      document.removeEventListener('drop', drop);
    };
  }, []);
  return (
    <>
      <FileButton
        resetRef={resetInput}
        accept="image/*,video/*"
        onChange={(file) => file !== null && find.mutate(file)}
      >
        {(props) => (
          <IconButton
            {...props}
            label="Find the order of a file: choose the file, or drop it on the page"
            variant="default"
            loading={find.isPending}
          >
            <IconPhotoSearch size={18} stroke={1.6} />
          </IconButton>
        )}
      </FileButton>
      {find.error !== null && <Fault>{find.error.message}</Fault>}
    </>
  );
}

/** Returns the task that created a file. @throws Error with the reason if there is none */
async function findTask(file: File): Promise<string> {
  // Browsers hash only on pages loaded over HTTPS or from this machine.
  if (globalThis.crypto.subtle === undefined)
    throw new Error('Browsers hash files only over HTTPS. Open the console with https://.');
  const taskId = await originOf(file).catch((error: unknown) => {
    const isUnknown = error instanceof ApiError && error.code === 'not_found';
    throw new Error(
      isUnknown
        ? `No order of this key made ${file.name}, or it was erased since.`
        : faultText('Could not ask for the file', error),
    );
  });
  if (taskId === null) throw new Error('This service made the file, but not for this key.');
  return taskId;
}

async function originOf(file: File): Promise<string | null> {
  const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer());
  const sha256 = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return (await call('GET /v1/provenance', { query: { sha256 } })).task_id;
}
