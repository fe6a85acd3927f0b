import { Button } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { IconChecks, IconX } from '@tabler/icons-react';
import { type ReactNode, useRef } from 'react';
import { formatCount } from '../../format.ts';
import { selectionTexts as texts } from '../../texts/selection.ts';
import { BarButton } from './bar-button.tsx';
import classes from './selection.module.css';
import type { Selection } from './use-selection.ts';

const USES_ESCAPE = '[role="menu"], [role="listbox"]';

/** How many are selected, and what can be done with them. Nothing while none is selected. */
export function SelectionBar({
  selection,
  all,
  children,
}: {
  readonly selection: Selection;
  /** How many there are to select. */
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
        {count > 0 ? texts.count(formatCount(count)) : wasUsed.current && 'Nothing selected'}
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
    // What has the focus in the bar is gone with it.
    if (bar.current?.contains(document.activeElement) === true) focusTile(selection.last);
    selection.clear();
  };
  // Before a list sees the key, and closes at it.
  useWindowEvent('keydown', (event) => event.key === 'Escape' && !isUsedElsewhere(event) && clear(), { capture: true });
  return (
    <section ref={bar} className={classes.bar} aria-label="Selection">
      <span className={`${classes.count} figures`} aria-hidden="true">
        {texts.count(formatCount(count))}
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

/** Whether the key is for a dialog, which stands outside the page, or for an open list. */
function isUsedElsewhere({ target }: KeyboardEvent): boolean {
  if (!(target instanceof Element) || target.closest('main') === null) return true;
  // Closed lists stay in the document, hidden.
  return [...document.querySelectorAll(USES_ESCAPE)].some((element) => element.checkVisibility());
}

function focusTile(taskId: string | null): void {
  const box = document.querySelector<HTMLElement>(`[data-select="${taskId}"]`);
  const tile = box?.closest<HTMLElement>('[role="gridcell"]') ?? box ?? document.querySelector('main');
  tile?.focus({ preventScroll: true });
}
