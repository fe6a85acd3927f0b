import type { BatchView as Batch } from '@darkroom-service/contract/batch';
import { Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { perform } from '../../api/deeds.ts';
import { refresh } from '../../api/use-api.ts';
import { batchTexts as texts } from '../../texts/batches.ts';
import { orderTexts } from '../../texts/orders.ts';
import { SmallButton } from '../buttons.ts';
import { DialogAbout } from '../dialog.tsx';
import { DialogForm } from '../dialog-form.tsx';

/** Cancels a batch after saying what still costs money. */
export function CancelBatch({ batch }: { readonly batch: Batch }) {
  const [isAsking, setAsking] = useState(false);
  const close = () => setAsking(false);
  return (
    <>
      <SmallButton onClick={() => setAsking(true)} disabled={batch.cancel_requested_at !== null}>
        Cancel what has not started
      </SmallButton>
      <DialogAbout about={isAsking ? batch : null} title={() => 'Cancel this batch?'} onClose={close}>
        {(about) => <CancelForm batch={about} onClose={close} />}
      </DialogAbout>
    </>
  );
}

function CancelForm({ batch, onClose }: { readonly batch: Batch; readonly onClose: () => void }) {
  const path = { batch_id: batch.batch_id };
  const cancel = useMutation({
    mutationFn: () => perform('POST /v1/batches/{batch_id}/cancel', { path }, orderTexts.cancelOf(batch.batch_id)),
    onSuccess: async () => {
      await refresh('GET /v1/account', 'GET /v1/batches', 'GET /v1/batches/{batch_id}');
      onClose();
    },
  });
  return (
    <DialogForm
      deed={cancel}
      texts={{ submit: 'Cancel the batch', keep: 'Keep it', failed: 'The batch was not canceled' }}
      isGrave
      onSubmit={() => cancel.mutate()}
      onClose={onClose}
    >
      <Text size="sm">
        Orders that have not started end now and cost nothing. Orders that already run may still finish and are charged.
      </Text>
      <Text fw={600}>{texts.cancelWaiting(batch.counts.queued)}</Text>
    </DialogForm>
  );
}
