import { Skeleton, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { perform } from '../../../api/deeds.ts';
import { refresh, useApi } from '../../../api/use-api.ts';
import { DialogForm } from '../../../components/dialog-form.tsx';
import { ErrorNote } from '../../../components/error-note.tsx';
import { keysTexts } from '../../../texts/keys.ts';
import type { KeyRow } from './rows.ts';

const texts = keysTexts.revocation;

/** Revokes a key after saying how many tasks are lost. */
export function RevokeForm({
  row,
  onClose,
  onRevoked,
}: {
  readonly row: KeyRow;
  readonly onClose: () => void;
  /** @param count tasks that can no longer be accessed */
  readonly onRevoked: (count: number) => void;
}) {
  const path = { key_id: row.key_id };
  // Counted anew each time: the key may be in use.
  const key = useApi('GET /admin/v1/keys/{key_id}', { path }, { staleTime: 0 });
  const revoke = useMutation({
    mutationFn: () => perform('POST /admin/v1/keys/{key_id}/revoke', { path }, texts.title(row.name)),
    onSuccess: async (revoked) => {
      await refresh('GET /admin/v1/keys', 'GET /admin/v1/audit');
      onRevoked(revoked.unreachable_tasks);
    },
  });
  return (
    <DialogForm
      deed={revoke}
      texts={texts}
      isGrave
      isReady={key.data !== undefined}
      onSubmit={() => revoke.mutate()}
      onClose={onClose}
    >
      <Text size="sm">{texts.text}</Text>
      {key.error !== null ? (
        <ErrorNote title={texts.notCounted} error={key.error} onRetry={() => void key.refetch()} />
      ) : key.data === undefined ? (
        <Skeleton h={22} aria-hidden="true" />
      ) : (
        <Text fw={600} role="status">
          {texts.lost(key.data.tasks)}
        </Text>
      )}
    </DialogForm>
  );
}
