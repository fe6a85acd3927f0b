import { Skeleton, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { perform } from '../../api/deeds.ts';
import { refresh, useApi } from '../../api/use-api.ts';
import { DialogForm } from '../../components/dialog-form.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { keysTexts } from '../../texts/keys.ts';
import { isOfService, type KeySource } from './key-source.ts';
import type { KeyRow } from './rows.ts';

const texts = keysTexts.revocation;

/** Revokes a key. Says to operators how many tasks are lost; an account lists the orders of its revoked keys. */
export function RevokeForm({
  source,
  row,
  onClose,
  onRevoked,
}: {
  readonly source: KeySource;
  readonly row: KeyRow;
  readonly onClose: () => void;
  /** @param notice what has become of its tasks */
  readonly onRevoked: (notice: string) => void;
}) {
  const path = { key_id: row.key_id };
  const isCounted = isOfService(source);
  // Counted anew each time: the key may be in use.
  const key = useApi('GET /admin/v1/keys/{key_id}', { path }, { staleTime: 0, enabled: isCounted });
  const revoke = useMutation({
    mutationFn: () => perform(source.revoke, { path }, texts.title(row.name)),
    onSuccess: async ({ unreachable_tasks: lost }) => {
      await refresh(source.list, 'GET /admin/v1/audit');
      onRevoked(isCounted ? texts.done(lost) : texts.doneInAccount(row.name));
    },
  });
  return (
    <DialogForm
      deed={revoke}
      texts={texts}
      isGrave
      isReady={!isCounted || key.data !== undefined}
      onSubmit={() => revoke.mutate()}
      onClose={onClose}
    >
      <Text size="sm">{isCounted ? texts.text : texts.textInAccount}</Text>
      {!isCounted ? null : key.error !== null ? (
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
