import { Select } from '@mantine/core';
import { useState } from 'react';
import { FAVOURITE } from '../../api/marks.ts';
import type { DataOf } from '../../api/operations.ts';
import { useApi } from '../../api/use-api.ts';
import { formatCount } from '../../format.ts';
import { historyTexts } from '../../texts/history.ts';
import classes from './history.module.css';

const texts = historyTexts.tags;
const SHOWN = 100;
/** The service does not count further. */
const MOST_COUNTED = 1_000;
type Tag = DataOf<'GET /v1/tags'>['items'][number];

/** Narrows the history to a tag. The list has all tags with the number of their orders. */
export function TagFilter({ tag, onChange }: { readonly tag: string; readonly onChange: (tag: string) => void }) {
  const [typed, setTyped] = useState('');
  const { data } = useApi('GET /v1/tags', { query: { limit: SHOWN } });
  const known: readonly Tag[] = data?.items ?? [];
  const choices = [...known].sort((a, b) => Number(b.tag === FAVOURITE) - Number(a.tag === FAVOURITE)).map(choiceOf);
  // The chosen one may have no orders, and a long list is cut: then any tag can be typed.
  const others = [tag, data?.has_more === true ? typed.trim() : ''].filter(
    (value, place, all) => value !== '' && all.indexOf(value) === place && !known.some((one) => one.tag === value),
  );
  return (
    <Select
      aria-label={texts.filter}
      className={classes.filter ?? ''}
      classNames={{ option: classes.option ?? '' }}
      placeholder={texts.any}
      searchable
      clearable
      nothingFoundMessage={texts.none}
      maxLength={40}
      data={[...choices, ...others.map((value) => ({ value, label: nameOf(value) }))]}
      value={tag || null}
      onSearchChange={setTyped}
      onChange={(value) => onChange(value ?? '')}
    />
  );
}

function choiceOf({ tag, tasks }: Tag) {
  const count = tasks < MOST_COUNTED ? formatCount(tasks) : texts.orMore(formatCount(MOST_COUNTED));
  return { value: tag, label: texts.counted(nameOf(tag), count) };
}

function nameOf(tag: string): string {
  return tag === FAVOURITE ? texts.favourites : tag;
}
