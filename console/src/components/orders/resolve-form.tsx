import { Text, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { perform } from '../../api/deeds.ts';
import { refresh } from '../../api/use-api.ts';
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
  const resolve = useMutation({
    mutationFn: () => {
      const body = { ids: [...ids], resolution: found.trim() };
      return perform('POST /admin/v1/reconciliation/resolve', { body }, texts.resolveTitle(ids.length));
    },
    onSuccess: async () => {
      await refresh(
        'GET /admin/v1/tasks',
        'GET /admin/v1/tasks/{task_id}',
        'GET /admin/v1/reconciliation',
        'GET /admin/v1/reconciliation/causes',
        'GET /admin/v1/audit',
      );
      onClose();
    },
  });
  return (
    <DialogForm
      deed={resolve}
      texts={texts}
      isReady={found.trim() !== ''}
      onSubmit={() => resolve.mutate()}
      onClose={onClose}
    >
      <Text size="sm">{texts.resolveText(ids.length)}</Text>
      <Textarea
        label={texts.resolution}
        placeholder={texts.placeholder}
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
