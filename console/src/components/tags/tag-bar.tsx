import { Button, Group, Tooltip } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { IconStar, IconStarFilled, IconTag, IconX } from '@tabler/icons-react';
import { type KeyboardEvent as FieldKey, useRef, useState } from 'react';
import { Link } from 'wouter';
import { changeBetween, isMark, markOf, readOperation, type Tags } from '../../api/marks.ts';
import { useStore } from '../../api/store.ts';
import { markByKey, retag, taggingFault, tagsNow } from '../../api/tagging.ts';
import { useApi } from '../../api/use-api.ts';
import { historyTexts } from '../../texts/history.ts';
import { ErrorNote } from '../error-note.tsx';
import { IconButton } from '../icon-button.tsx';
import classes from './tag-bar.module.css';
import { TagsField } from './tags-field.tsx';

/** The star, the rejection and the tags of an order. The keys s, x and t work wherever the focus is. */
export function TagBar({ taskId }: { readonly taskId: string }) {
  const { data, error, refetch } = useApi(readOperation(taskId), { path: { task_id: taskId } });
  const fault = useStore(taggingFault);
  const [isOpen, setOpen] = useState(false);
  const bar = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const tags = data?.tags;
  const { star: isFavourite, rejected: isRejected } = markOf(tags ?? []);
  const setTags = (wanted: Tags) => {
    const before = tagsNow(taskId, tags ?? []);
    void retag([{ taskId, before, change: changeBetween(before, wanted) }], historyTexts.tagged);
  };
  const press = (key: string) => markByKey(key, { task_id: taskId, tags: [...(tags ?? [])] });
  useWindowEvent('keydown', (event) => {
    if (tags === undefined || event.repeat || isForAnother(event, bar.current) || isUsedThere(event)) return;
    if (event.key === 't') setOpen(true);
    else if (!press(event.key)) return;
    event.preventDefault();
  });
  if (error !== null && tags === undefined)
    return <ErrorNote title="Could not read the tags" error={error} onRetry={() => void refetch()} />;
  const props = { variant: 'default', disabled: tags === undefined };
  const close = () => {
    setOpen(false);
    // The field that had the focus is gone.
    requestAnimationFrame(() => button.current?.focus());
  };
  return (
    <>
      <Group mih={36} ref={bar} gap={6} role="group" aria-label="Star and tags">
        <IconButton {...props} label="Favourite (s key)" aria-pressed={isFavourite} onClick={() => press('s')}>
          {isFavourite ? <IconStarFilled size={18} color="#e0a100" /> : <IconStar size={18} />}
        </IconButton>
        <IconButton {...props} label={historyTexts.reject} aria-pressed={isRejected} onClick={() => press('x')}>
          <IconX size={18} {...(isRejected ? { color: 'var(--mantine-color-error)' } : {})} />
        </IconButton>
        {isOpen && tags !== undefined ? (
          <TagField tags={tags} onChange={setTags} onClose={close} />
        ) : (
          <>
            {tags
              ?.filter((tag) => !isMark(tag))
              .map((tag) => (
                <Link
                  key={tag}
                  href={`/?${new URLSearchParams({ tag })}`}
                  className={`${classes.tag} truncate`}
                  aria-label={`Orders with the tag ${tag}`}
                  dir="auto"
                >
                  {tag}
                </Link>
              ))}
            <Tooltip label="Change the tags (t key)">
              <Button
                ref={button}
                variant="subtle"
                color="gray"
                size="compact-sm"
                leftSection={<IconTag size={15} aria-hidden="true" />}
                disabled={tags === undefined}
                onClick={() => setOpen(true)}
              >
                Tags
              </Button>
            </Tooltip>
          </>
        )}
      </Group>
      {fault?.taskId === taskId && <ErrorNote title="The tags were not changed" error={fault.error} />}
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
  const marks = tags.filter(isMark);
  const onKeyDown = (event: FieldKey) => {
    if (event.key === 'Escape' && !event.nativeEvent.isComposing) onClose();
  };
  return (
    <TagsField
      flex="1 1 240px"
      autoFocus
      data-tag-field
      aria-label="Tags of this order"
      tags={tags.filter((tag) => !isMark(tag))}
      onKeyDown={onKeyDown}
      onChange={(wanted) => onChange([...wanted, ...marks])}
    />
  );
}

/** Elements that use letters and arrow keys themselves. */
const USES_KEYS = 'input, textarea, select, video, audio, [role="combobox"]';
const TAG_FIELD = '[data-tag-field]';

/** Tells whether a key belongs to a dialog above this one, even without focus in it, or means something else. */
export function isForAnother(event: KeyboardEvent, inside: Element | null): boolean {
  const { target, altKey, ctrlKey, metaKey, shiftKey, isComposing } = event;
  if (!(target instanceof Element) || altKey || ctrlKey || metaKey || shiftKey || isComposing) return true;
  return [...document.querySelectorAll('[role="dialog"]')].some((dialog) => !dialog.contains(inside));
}

/** Tells whether the focused element uses the key. */
export function isUsedThere({ target }: KeyboardEvent): boolean {
  return (target as Element).closest(USES_KEYS) !== null;
}

/** Tells whether Escape should close the field first, not the order. */
export function isForTagField({ target }: KeyboardEvent): boolean {
  return (target as Element).closest(TAG_FIELD) !== null;
}
