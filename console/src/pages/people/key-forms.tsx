import { Group, Select, Skeleton, Text } from '@mantine/core';
import { useState } from 'react';
import { perform } from '../../api/deeds.ts';
import { useApi } from '../../api/use-api.ts';
import { useDeed } from '../../api/use-deed.ts';
import { DialogForm } from '../../components/dialog-form.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Hint } from '../../components/words.ts';
import { keysTexts } from '../../texts/keys.ts';
import { changesOf, draftOf, type KeyDraft } from './key-draft.ts';
import { ExpiryField, LimitFields, NameField } from './key-fields.tsx';
import { isOfService, type KeySource } from './key-source.ts';
import { LostSecret } from './lost-secret.tsx';
import type { KeyRow } from './rows.ts';
import { useRotation } from './use-rotation.ts';

const texts = keysTexts.rotation;
const A_DAY = '86400';

/** Rotates the secret of a key, with a grace period in which both work. */
export function RotateForm({
  source,
  row,
  onClose,
  onIssued,
}: {
  readonly source: KeySource;
  readonly row: KeyRow;
  readonly onClose: () => void;
  readonly onIssued: (secret: string) => void;
}) {
  const [grace, setGrace] = useState(A_DAY);
  const rotate = useRotation(source, onIssued);
  const isLost = rotate.data?.key === null;
  return (
    <DialogForm
      deed={rotate}
      texts={isLost ? { ...texts, submit: texts.again } : texts}
      onSubmit={() => rotate.mutate({ keyId: row.key_id, name: row.name, grace: Number(grace) })}
      onClose={onClose}
    >
      <Text size="sm">{texts.text}</Text>
      <Select
        label={texts.grace}
        allowDeselect={false}
        data={[...texts.graces]}
        value={grace}
        onChange={(value) => setGrace(value ?? A_DAY)}
      />
      {isLost && <LostSecret title={texts.lost} />}
    </DialogForm>
  );
}

const revocation = keysTexts.revocation;

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
  const revoke = useDeed(
    () => perform(source.revoke, { path }, revocation.title(row.name)),
    ({ unreachable_tasks: lost }) => onRevoked(isCounted ? revocation.done(lost) : revocation.doneInAccount(row.name)),
  );
  return (
    <DialogForm
      deed={revoke}
      texts={revocation}
      isGrave
      isReady={!isCounted || key.data !== undefined}
      onClose={onClose}
    >
      <Text size="sm">{isCounted ? revocation.text : revocation.textInAccount}</Text>
      {!isCounted ? null : key.error !== null ? (
        <ErrorNote title={revocation.notCounted} error={key.error} onRetry={() => void key.refetch()} />
      ) : key.data === undefined ? (
        <Skeleton h={22} aria-hidden="true" />
      ) : (
        <Text fw={600} role="status">
          {revocation.lost(key.data.tasks)}
        </Text>
      )}
    </DialogForm>
  );
}

const editTexts = keysTexts.edit;

/**
 * Changes the settings of a key. Sends only what was changed, so that two operators do not undo each other's changes.
 */
export function EditKeyForm({
  source,
  row,
  onClose,
  onChanged,
}: {
  readonly source: KeySource;
  readonly row: KeyRow;
  readonly onClose: () => void;
  readonly onChanged: (name: string) => void;
}) {
  const [draft, setDraft] = useState(() => draftOf(row));
  const change = (part: Partial<KeyDraft>) => setDraft((before) => ({ ...before, ...part }));
  const body = changesOf(draft, row);
  const save = useDeed(
    () => perform(source.change, { path: { key_id: row.key_id }, body }),
    (changed) => onChanged(changed.name),
  );
  return (
    <DialogForm deed={save} texts={editTexts} isReady={Object.keys(body).length > 0} onClose={onClose}>
      <Hint>{editTexts.text}</Hint>
      <Group grow align="flex-end">
        <NameField draft={draft} change={change} />
        <ExpiryField draft={draft} change={change} />
      </Group>
      {row.mode !== 'admin' && <LimitFields draft={draft} change={change} />}
    </DialogForm>
  );
}
