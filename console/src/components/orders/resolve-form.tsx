import { Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { perform } from '../../api/deeds.ts';
import { useDeed } from '../../api/use-deed.ts';
import { operationsTexts } from '../../texts/operations.ts';
import { DialogAbout } from '../dialog.tsx';
import { DialogForm } from '../dialog-form.tsx';

const texts = operationsTexts.unknown;

interface Props {
  readonly ids: readonly string[];
  readonly onClose: () => void;
}

/** Asks for one finding about entries to reconcile, while there are any. */
export function ResolveDialog({ ids, onClose }: Props) {
  const about = ids.length > 0 ? ids : null;
  return (
    <DialogAbout about={about} title={({ length }) => texts.resolveTitle(length)} onClose={onClose}>
      {(some) => <ResolveForm ids={some} onClose={onClose} />}
    </DialogAbout>
  );
}

function ResolveForm({ ids, onClose }: Props) {
  const [found, setFound] = useState('');
  const resolve = useDeed(() => {
    const body = { ids: [...ids], resolution: found.trim() };
    return perform('POST /admin/v1/reconciliation/resolve', { body }, texts.resolveTitle(ids.length));
  }, onClose);
  return (
    <DialogForm deed={resolve} texts={texts} isReady={found.trim() !== ''} onClose={onClose}>
      <Text size="sm">{texts.resolveText(ids.length)}</Text>
      <Textarea
        label="What was found"
        placeholder="Not in their records: nothing was made, nothing billed."
        required
        autosize
        minRows={3}
        maxLength={2000}
        value={found}
        onChange={(event) => setFound(event.currentTarget.value)}
        data-autofocus
      />
    </DialogForm>
  );
}
