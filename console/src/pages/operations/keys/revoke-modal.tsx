import { Skeleton, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { perform } from '../../../api/deeds.ts';
import { refresh, useApi } from '../../../api/use-api.ts';
import { ConfirmModal } from '../../../components/confirm-modal.tsx';
import { ErrorNote } from '../../../components/error-note.tsx';
import { keysTexts } from '../../../texts/keys.ts';
import type { KeyRow } from './rows.ts';

const texts = keysTexts.revocation;

/** Revokes a key after saying how many tasks are lost. */
export function RevokeModal({
  row,
  onClose,
  onRevoked,
}: {
  readonly row: KeyRow | null;
  readonly onClose: () => void;
  /** @param count tasks that can no longer be accessed */
  readonly onRevoked: (count: number) => void;
}) {
  const key = useApi(
    'GET /admin/v1/keys/{key_id}',
    { path: { key_id: row?.key_id ?? '' } },
    // Counted anew each time: the key may be in use.
    { enabled: row !== null, staleTime: 0 },
  );
  const revoke = useMutation({
    mutationFn: (keyId: string) =>
      perform('POST /admin/v1/keys/{key_id}/revoke', { path: { key_id: keyId } }, texts.title(row?.name ?? keyId)),
    onSuccess: async (revoked) => {
      await refresh('GET /admin/v1/keys', 'GET /admin/v1/audit');
      onRevoked(revoked.unreachable_tasks);
    },
  });
  return (
    <ConfirmModal
      opened={row !== null}
      texts={{
        title: texts.title(row?.name ?? ''),
        close: keysTexts.close,
        keep: keysTexts.cancel,
        confirm: texts.submit,
      }}
      isBusy={revoke.isPending}
      isDisabled={key.data === undefined}
      onClose={() => {
        revoke.reset();
        onClose();
      }}
      onConfirm={() => row !== null && revoke.mutate(row.key_id)}
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
      {revoke.error !== null && <ErrorNote title={texts.failed} unknown={texts.unknown} error={revoke.error} />}
    </ConfirmModal>
  );
}
