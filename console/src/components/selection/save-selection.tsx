import { IconDownload } from '@tabler/icons-react';
import { selectionTexts as texts } from '../../texts/selection.ts';
import type { OnProgress } from '../results-zip.ts';
import { SavingNote } from '../saving-note.tsx';
import { useSaving } from '../use-saving.ts';
import { BarButton } from './bar-button.tsx';
import classes from './selection.module.css';

/** Saves the selected results as a ZIP archive. */
export function SaveSelection({
  disabled,
  save,
}: {
  readonly disabled: boolean;
  readonly save: (onProgress: OnProgress) => Promise<number>;
}) {
  const saving = useSaving((_: null, onProgress) => save(onProgress));
  return (
    <>
      <BarButton
        label={texts.save}
        icon={<IconDownload size={16} aria-hidden="true" />}
        loading={saving.isSaving}
        disabled={disabled}
        onClick={() => saving.save(null)}
      />
      <SavingNote saving={saving} className={classes.note} />
    </>
  );
}
