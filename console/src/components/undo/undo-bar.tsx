import { CloseButton } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { IconArrowBackUp } from '@tabler/icons-react';
import { useEffect } from 'react';
import { hideUndo, undoLatest, useUndo } from '../../api/undo.ts';
import { frameTexts } from '../../texts/frame.ts';
import { PlainButton } from '../buttons.ts';
import classes from './undo.module.css';

const SHOWN_MS = { change: 10_000, undone: 10_000, done: 60_000 };
const USES_KEYS = 'input:not([type="checkbox"]), textarea, select, [contenteditable]';

/** Shows the latest action, with an undo button if it can be undone. Ctrl+Z does the same, also later. */
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
    const timer = setTimeout(hideUndo, SHOWN_MS[told.kind]);
    return () => clearTimeout(timer);
  }, [told]);
  return (
    <div role="status" className={classes.place}>
      {told !== null && (
        <div className={classes.bar}>
          <span>{told.error === null ? told.text : `Could not undo it. ${told.error.message}`}</span>
          {told.kind === 'done' && <CloseButton size="sm" aria-label={frameTexts.close} onClick={hideUndo} />}
          {told.kind === 'change' && (
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
