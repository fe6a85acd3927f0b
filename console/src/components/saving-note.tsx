import { selectionTexts as texts } from '../texts/selection.ts';
import { ErrorNote } from './error-note.tsx';
import type { useSaving } from './use-saving.ts';

/** How far the saving of results is, what is missing in the file, and why it failed. */
export function SavingNote({
  saving: { progress, missing, error },
  className,
}: {
  readonly saving: Pick<ReturnType<typeof useSaving>, 'progress' | 'missing' | 'error'>;
  readonly className: string | undefined;
}) {
  return (
    <>
      <output className={className}>
        {progress !== null && texts.saving(...progress)}
        {missing > 0 && texts.incomplete(missing)}
      </output>
      {error !== null && <ErrorNote title={texts.saveFailed} error={error} />}
    </>
  );
}
