import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { perform } from '../../../api/deeds.ts';
import { refresh } from '../../../api/use-api.ts';
import { ErrorNote } from '../../../components/error-note.tsx';
import { keysTexts } from '../../../texts/keys.ts';
import { changesOf, draftOf, type KeyDraft } from './key-draft.ts';
import { ExpiryField, LimitFields, NameField } from './key-fields.tsx';
import type { KeyRow } from './rows.ts';

const texts = keysTexts.edit;

/**
 * Changes the settings of a key. Sends only what was changed, so that two operators do not undo each other's changes.
 */
export function EditKeyModal({
  row,
  onClose,
  onChanged,
}: {
  readonly row: KeyRow | null;
  readonly onClose: () => void;
  readonly onChanged: (name: string) => void;
}) {
  return (
    <Modal
      opened={row !== null}
      onClose={onClose}
      title={texts.title(row?.name ?? '')}
      size="lg"
      closeButtonProps={{ 'aria-label': keysTexts.close }}
    >
      {row !== null && <EditKeyForm row={row} onClose={onClose} onChanged={onChanged} />}
    </Modal>
  );
}

function EditKeyForm({
  row,
  onClose,
  onChanged,
}: {
  readonly row: KeyRow;
  readonly onClose: () => void;
  readonly onChanged: (name: string) => void;
}) {
  const [draft, setDraft] = useState(() => draftOf(row));
  const change = (part: Partial<KeyDraft>) => setDraft((before) => ({ ...before, ...part }));
  const body = changesOf(draft, row);
  const save = useMutation({
    mutationFn: () => perform('PATCH /admin/v1/keys/{key_id}', { path: { key_id: row.key_id }, body }),
    onSuccess: async (changed) => {
      await refresh('GET /admin/v1/keys', 'GET /admin/v1/audit');
      onChanged(changed.name);
    },
  });
  const isUnchanged = Object.keys(body).length === 0;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isUnchanged) save.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm" c="dimmed">
          {texts.text}
        </Text>
        <Group grow align="flex-end">
          <NameField draft={draft} change={change} />
          <ExpiryField draft={draft} change={change} />
        </Group>
        {row.mode !== 'admin' && <LimitFields draft={draft} change={change} />}
        {save.error !== null && <ErrorNote title={texts.failed} error={save.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {keysTexts.cancel}
          </Button>
          <Button type="submit" loading={save.isPending} disabled={isUnchanged}>
            {texts.submit}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
