import { ActionIcon, Button, Group, TagsInput, Tooltip } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { IconStar, IconStarFilled, IconTag } from '@tabler/icons-react';
import { type KeyboardEvent as FieldKey, useRef, useState } from 'react';
import { Link } from 'wouter';
import { FAVOURITE } from '../../api/marks.ts';
import { changeBetween, type Tags } from '../../api/task-tags.ts';
import { useApi } from '../../api/use-api.ts';
import { ErrorNote } from '../../components/error-note.tsx';
import { historyTexts } from '../../texts/history.ts';
import classes from './detail.module.css';
import { isForAnother, isUsedThere } from './drawer-keys.ts';
import { tagsNow, useChangeTags, useTags } from './task-tags.ts';

const texts = historyTexts.tags;
const MOST_TAGS = 20;
const LONGEST_TAG = 40;
const SUGGESTED = 100;

/** The star and the tags of an order. The keys s and t work wherever the focus is. */
export function TagBar({ taskId }: { readonly taskId: string }) {
  const { data, error, refetch } = useTags(taskId);
  const change = useChangeTags(taskId);
  const [isOpen, setOpen] = useState(false);
  const bar = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const tags = data?.tags;
  const isFavourite = tags?.includes(FAVOURITE) === true;
  const set = (wanted: (shown: Tags) => Tags) => {
    const shown = tagsNow(taskId);
    change.mutate({ shown, change: changeBetween(shown, wanted(shown)) });
  };
  const toggleStar = () =>
    set((shown) => (shown.includes(FAVOURITE) ? shown.filter((tag) => tag !== FAVOURITE) : [...shown, FAVOURITE]));
  useWindowEvent('keydown', (event) => {
    if (tags === undefined || event.repeat || isForAnother(event, bar.current) || isUsedThere(event)) return;
    if (event.key === 's') toggleStar();
    else if (event.key === 't') setOpen(true);
    else return;
    event.preventDefault();
  });
  if (error !== null && tags === undefined)
    return <ErrorNote title={texts.failed} error={error} onRetry={() => void refetch()} />;
  const close = () => {
    setOpen(false);
    // The field that had the focus is gone.
    requestAnimationFrame(() => button.current?.focus());
  };
  return (
    <>
      <Group ref={bar} gap={6} className={classes.tags ?? ''} role="group" aria-label={texts.group}>
        <Tooltip label={texts.star}>
          <ActionIcon
            variant="default"
            aria-label={texts.star}
            aria-pressed={isFavourite}
            disabled={tags === undefined}
            onClick={toggleStar}
          >
            {isFavourite ? <IconStarFilled size={18} color="#e0a100" /> : <IconStar size={18} />}
          </ActionIcon>
        </Tooltip>
        {isOpen && tags !== undefined ? (
          <TagField tags={tags} onChange={(wanted) => set(() => wanted)} onClose={close} />
        ) : (
          <>
            {tags
              ?.filter((tag) => tag !== FAVOURITE)
              .map((tag) => (
                <Link
                  key={tag}
                  href={`/history?${new URLSearchParams({ tag })}`}
                  className={`${classes.tag} truncate`}
                  aria-label={texts.withTag(tag)}
                  dir="auto"
                >
                  {tag}
                </Link>
              ))}
            <Tooltip label={texts.editHint}>
              <Button
                ref={button}
                variant="subtle"
                color="gray"
                size="compact-sm"
                leftSection={<IconTag size={15} aria-hidden="true" />}
                disabled={tags === undefined}
                onClick={() => setOpen(true)}
              >
                {texts.edit}
              </Button>
            </Tooltip>
          </>
        )}
      </Group>
      {change.error !== null && <ErrorNote title={texts.changeFailed} error={change.error} />}
    </>
  );
}

function TagField({
  tags,
  onChange,
  onClose,
}: {
  readonly tags: Tags;
  readonly onChange: (tags: Tags) => void;
  readonly onClose: () => void;
}) {
  const { data } = useApi('GET /v1/tags', { query: { limit: SUGGESTED } });
  const isStarred = tags.includes(FAVOURITE);
  const onKeyDown = (event: FieldKey) => {
    if (event.key === 'Escape' && !event.nativeEvent.isComposing) onClose();
  };
  return (
    <TagsInput
      autoFocus
      data-tag-field
      className={classes.tagField ?? ''}
      aria-label={texts.field}
      placeholder={texts.placeholder}
      maxTags={isStarred ? MOST_TAGS - 1 : MOST_TAGS}
      maxLength={LONGEST_TAG}
      data={(data?.items ?? []).map(({ tag }) => tag).filter((tag) => tag !== FAVOURITE)}
      value={tags.filter((tag) => tag !== FAVOURITE)}
      onKeyDown={onKeyDown}
      onChange={(wanted) => onChange(isStarred ? [...wanted, FAVOURITE] : wanted)}
    />
  );
}
