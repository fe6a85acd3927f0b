import { Button, type ButtonProps, Popover, Stack } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { IconChecks, IconTag, IconX } from '@tabler/icons-react';
import { type ReactNode, type Ref, useRef, useState } from 'react';
import { changeBetween, type TagChange, type Tags } from '../../api/marks.ts';
import { formatCount } from '../../format.ts';
import { PlainButton } from '../buttons.ts';
import { TagsField } from '../tags/tags-field.tsx';
import classes from './selection.module.css';
import type { Selection } from './use-selection.ts';

const USES_ESCAPE = '[role="menu"], [role="listbox"]';

/** The number of selected tasks, and their actions. Empty without a selection. */
export function SelectionBar({
  selection,
  all,
  children,
}: {
  readonly selection: Selection;
  /** Number of tasks that can be selected. */
  readonly all: number;
  /** The actions. */
  readonly children: ReactNode;
}) {
  const count = selection.ids.length;
  const wasUsed = useRef(false);
  if (count > 0) wasUsed.current = true;
  return (
    <>
      <div className="visually-hidden" role="status">
        {count > 0 ? `${formatCount(count)} selected` : wasUsed.current && 'Nothing selected'}
      </div>
      {count > 0 && (
        <Bar selection={selection} all={all}>
          {children}
        </Bar>
      )}
    </>
  );
}

function Bar({ selection, all, children }: Parameters<typeof SelectionBar>[0]) {
  const count = selection.ids.length;
  const bar = useRef<HTMLElement>(null);
  const clear = () => {
    // The focused element of the bar disappears with it.
    if (bar.current?.contains(document.activeElement) === true) focusTile(selection.last);
    selection.clear();
  };
  // Handles the key before a list sees it and closes.
  useWindowEvent('keydown', (event) => event.key === 'Escape' && !isUsedElsewhere(event) && clear(), { capture: true });
  return (
    <section ref={bar} className={classes.bar} aria-label="Selection">
      <span className={`${classes.count} figures`} aria-hidden="true">
        {formatCount(count)} selected
      </span>
      {count < all && (
        <BarButton
          label={`Select all ${formatCount(all)}`}
          icon={<IconChecks size={17} aria-hidden="true" />}
          onClick={selection.selectAll}
        />
      )}
      {children}
      <Button
        variant="subtle"
        color="gray"
        className={classes.clear ?? ''}
        size="sm"
        leftSection={<IconX size={16} aria-hidden="true" />}
        onClick={clear}
      >
        Clear
      </Button>
    </section>
  );
}

/** Tells whether the key belongs to a dialog, which is outside the page, or to an open list. */
function isUsedElsewhere({ target }: KeyboardEvent): boolean {
  if (!(target instanceof Element) || target.closest('main') === null) return true;
  return document.querySelector(USES_ESCAPE) !== null;
}

function focusTile(taskId: string | null): void {
  const box = document.querySelector<HTMLElement>(`[data-select="${taskId}"]`);
  const tile = box?.closest<HTMLElement>('[role="gridcell"]') ?? box ?? document.querySelector('main');
  tile?.focus({ preventScroll: true });
}

/** An action for all selected tasks: an icon with a label, which is hidden on a phone. */
export function BarButton({
  label,
  icon,
  ...others
}: Pick<ButtonProps, 'loading' | 'disabled' | 'color'> & {
  readonly label: string;
  readonly icon: ReactNode;
  readonly onClick?: () => void;
  readonly ref?: Ref<HTMLButtonElement>;
  readonly 'aria-haspopup'?: 'dialog';
  readonly 'aria-expanded'?: boolean;
}) {
  return (
    <PlainButton {...others} size="sm" className={classes.action ?? ''} leftSection={icon} title={label}>
      {label}
    </PlainButton>
  );
}

/** Adds tags to all selected tasks, and removes tags from all of them. */
export function TagSelection({
  tags,
  isBusy = false,
  onChange,
}: {
  /** Tags that any of them has, without the star and the rejection. */
  readonly tags: Tags;
  readonly isBusy?: boolean;
  readonly onChange: (change: TagChange) => void;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover opened={isOpen} onChange={setOpen} width={300} position="top" trapFocus returnFocus withinPortal>
      <Popover.Target>
        <BarButton
          label="Tags"
          icon={<IconTag size={16} aria-hidden="true" />}
          loading={isBusy}
          onClick={() => setOpen(!isOpen)}
        />
      </Popover.Target>
      <Popover.Dropdown>
        <TagForm
          tags={tags}
          onChange={(change) => {
            setOpen(false);
            if (change.add.length + change.remove.length > 0) onChange(change);
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

function TagForm({ tags, onChange }: { readonly tags: Tags; readonly onChange: (change: TagChange) => void }) {
  const [wanted, setWanted] = useState(tags);
  return (
    <Stack gap="sm">
      <TagsField
        label="Tags of the selected orders"
        description="A tag that you add is added to all of them; one that you remove is removed from all."
        tags={wanted}
        onChange={setWanted}
        // Not over the button below.
        comboboxProps={{ withinPortal: false, position: 'top' }}
        data-autofocus
      />
      <Button size="sm" onClick={() => onChange(changeBetween(tags, wanted))}>
        Change the tags
      </Button>
    </Stack>
  );
}
