import { Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { perform } from '../../api/deeds.ts';
import type { Batch } from '../../api/types.ts';
import { refresh } from '../../api/use-api.ts';
import { ConfirmModal } from '../../components/confirm-modal.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { batchTexts as texts } from '../../texts/batches.ts';
import { orderTexts } from '../../texts/orders.ts';

/** Cancels a batch after saying what still costs money. */
export function CancelModal({
  batch,
  onClose,
  onCanceled,
}: {
  readonly batch: Batch | null;
  readonly onClose: () => void;
  readonly onCanceled: () => void;
}) {
  const cancel = useMutation({
    mutationFn: (id: string) =>
      perform('POST /v1/batches/{batch_id}/cancel', { path: { batch_id: id } }, orderTexts.cancelOf(id)),
    onSuccess: async () => {
      await refresh('GET /v1/account');
      onCanceled();
    },
  });
  return (
    <ConfirmModal
      opened={batch !== null}
      texts={{ title: texts.cancelTitle, close: texts.close, keep: texts.keep, confirm: texts.confirm }}
      isBusy={cancel.isPending}
      onClose={() => {
        cancel.reset();
        onClose();
      }}
      onConfirm={() => batch !== null && cancel.mutate(batch.batch_id)}
    >
      <Text size="sm">{texts.cancelText}</Text>
      {batch !== null && <Text fw={600}>{texts.cancelWaiting(batch.counts.queued)}</Text>}
      {cancel.error !== null && <ErrorNote title={texts.failed} error={cancel.error} />}
    </ConfirmModal>
  );
}
