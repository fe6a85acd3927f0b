import { useWindowEvent } from '@mantine/hooks';
import { IconArrowBackUp } from '@tabler/icons-react';
import { useEffect } from 'react';
import { hideUndo, undoLatest, useUndo } from '../../api/undo.ts';
import { PlainButton } from '../buttons.ts';
import classes from './undo.module.css';

const SHOWN_MS = 10_000;
const USES_KEYS = 'input:not([type="checkbox"]), textarea, select, [contenteditable]';

/** Says what was just changed, with a button that takes it back. Ctrl+Z does the same, also later. */
export function UndoBar() {
  const told = useUndo();
  useWindowEvent('keydown', (event) => {
    if (event.key.toLowerCase() !== 'z' || !(event.ctrlKey || event.metaKey) || event.shiftKey) return;
    if (event.target instanceof Element && event.target.closest(USES_KEYS) !== null) return;
    event.preventDefault();
    void undoLatest();
  });
  useEffect(() => {
    if (told === null || told.error !== null) return undefined;
    const timer = setTimeout(hideUndo, SHOWN_MS);
    return () => clearTimeout(timer);
  }, [told]);
  return (
    <div role="status" className={classes.place}>
      {told !== null && (
        <div className={classes.bar}>
          <span>{told.error === null ? told.text : `Could not undo it. ${told.error.message}`}</span>
          {told.canUndo && (
            <PlainButton
              size="compact-sm"
              leftSection={<IconArrowBackUp size={15} aria-hidden="true" />}
              title="Ctrl+Z"
              onClick={() => void undoLatest()}
            >
              Undo
            </PlainButton>
          )}
        </div>
      )}
    </div>
  );
}
