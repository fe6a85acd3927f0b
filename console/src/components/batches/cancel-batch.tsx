import { Button, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { perform } from '../../api/deeds.ts';
import type { Batch } from '../../api/types.ts';
import { refresh } from '../../api/use-api.ts';
import { batchTexts as texts } from '../../texts/batches.ts';
import { orderTexts } from '../../texts/orders.ts';
import { ConfirmModal } from '../confirm-modal.tsx';
import { ErrorNote } from '../error-note.tsx';

/** Cancels a batch after saying what still costs money. */
export function CancelBatch({ batch }: { readonly batch: Batch }) {
  const [isAsking, setAsking] = useState(false);
  const cancel = useMutation({
    mutationFn: () =>
      perform(
        'POST /v1/batches/{batch_id}/cancel',
        { path: { batch_id: batch.batch_id } },
        orderTexts.cancelOf(batch.batch_id),
      ),
    onSuccess: async () => {
      await refresh('GET /v1/account', 'GET /v1/batches', 'GET /v1/batches/{batch_id}');
      setAsking(false);
    },
  });
  return (
    <>
      <Button variant="default" size="xs" onClick={() => setAsking(true)} disabled={batch.cancel_requested_at !== null}>
        {texts.cancel}
      </Button>
      <ConfirmModal
        opened={isAsking}
        texts={{ title: texts.cancelTitle, close: texts.close, keep: texts.keep, confirm: texts.confirm }}
        isBusy={cancel.isPending}
        onClose={() => {
          cancel.reset();
          setAsking(false);
        }}
        onConfirm={() => cancel.mutate()}
      >
        <Text size="sm">{texts.cancelText}</Text>
        <Text fw={600}>{texts.cancelWaiting(batch.counts.queued)}</Text>
        {cancel.error !== null && <ErrorNote title={texts.failed} error={cancel.error} />}
      </ConfirmModal>
    </>
  );
}
