import { Button, Select, TextInput } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useApi } from '../../api/use-api.ts';
import { SearchInput } from '../../components/search-input.tsx';
import { Segments } from '../../components/segments.tsx';
import { Hint } from '../../components/words.ts';
import { historyTexts } from '../../texts/history.ts';
import classes from './history.module.css';
import { type HistoryFilter, isFiltered, NO_FILTER } from './history-filter.ts';
import { TagFilter } from './tag-filter.tsx';

const texts = historyTexts.filters;

export function HistoryFilters({
  filter,
  onChange,
  children,
}: {
  readonly filter: HistoryFilter;
  readonly onChange: (filter: HistoryFilter) => void;
  /** Tools beside the filters. */
  readonly children: ReactNode;
}) {
  const { data } = useApi('GET /v1/catalog', {}, { staleTime: 300_000 });
  const models = (data?.items ?? []) as readonly { model_id: string; name: string; type: string }[];
  const change = (part: Partial<HistoryFilter>) => onChange({ ...filter, ...part });
  return (
    <search className={classes.filters} aria-label={texts.label}>
      <SearchInput
        label={texts.search}
        placeholder={texts.searchPlaceholder}
        dir="auto"
        className={classes.search ?? ''}
        value={filter.search}
        onChange={(search) => change({ search })}
      />
      <Segments label={texts.type} words={texts.types} value={filter.type} onChange={(type) => change({ type })} />
      <Select
        aria-label={texts.status}
        className={classes.filter ?? ''}
        allowDeselect={false}
        data={[...texts.statuses]}
        value={filter.status}
        onChange={(status) => change({ status: status ?? '' })}
      />
      <Select
        aria-label={texts.model}
        className={classes.filter ?? ''}
        placeholder={texts.anyModel}
        searchable
        clearable
        nothingFoundMessage={texts.noModel}
        data={models
          .filter((model) => filter.type === 'all' || model.type === filter.type)
          .map((model) => ({ value: model.model_id, label: model.name }))}
        value={filter.modelId || null}
        onChange={(modelId) => change({ modelId: modelId ?? '' })}
      />
      <TagFilter tag={filter.tag} onChange={(tag) => change({ tag })} />
      <Select
        aria-label={texts.when}
        className={classes.filter ?? ''}
        allowDeselect={false}
        data={[...texts.spans]}
        value={filter.span}
        onChange={(span) => change({ span: span ?? '' })}
      />
      {filter.span === 'days' && (
        <>
          <TextInput
            type="date"
            aria-label={texts.from}
            max={filter.to}
            value={filter.from}
            onChange={(event) => change({ from: event.currentTarget.value })}
          />
          <TextInput
            type="date"
            aria-label={texts.to}
            min={filter.from}
            value={filter.to}
            onChange={(event) => change({ to: event.currentTarget.value })}
          />
        </>
      )}
      <TextInput
        aria-label={texts.endUser}
        className={classes.filter ?? ''}
        placeholder={texts.endUserPlaceholder}
        maxLength={128}
        value={filter.endUser}
        onChange={(event) => change({ endUser: event.currentTarget.value.trim() })}
      />
      {children}
      {filter.batchId !== '' && <Hint>{texts.batch(filter.batchId)}</Hint>}
      {isFiltered(filter) && (
        <Button
          variant="subtle"
          color="gray"
          leftSection={<IconX size={15} aria-hidden="true" />}
          onClick={() => onChange(NO_FILTER)}
        >
          {texts.clear}
        </Button>
      )}
    </search>
  );
}
