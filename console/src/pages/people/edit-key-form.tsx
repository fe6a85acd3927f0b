import { Group } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { perform } from '../../api/deeds.ts';
import { refresh } from '../../api/use-api.ts';
import { DialogForm } from '../../components/dialog-form.tsx';
import { Hint } from '../../components/words.ts';
import { keysTexts } from '../../texts/keys.ts';
import { changesOf, draftOf, type KeyDraft } from './key-draft.ts';
import { ExpiryField, LimitFields, NameField } from './key-fields.tsx';
import type { KeySource } from './key-source.ts';
import type { KeyRow } from './rows.ts';

const texts = keysTexts.edit;

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
  const save = useMutation({
    mutationFn: () => perform(source.change, { path: { key_id: row.key_id }, body }),
    onSuccess: async (changed) => {
      await refresh(source.list, 'GET /admin/v1/audit');
      onChanged(changed.name);
    },
  });
  return (
    <DialogForm
      deed={save}
      texts={texts}
      isReady={Object.keys(body).length > 0}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <Hint>{texts.text}</Hint>
      <Group grow align="flex-end">
        <NameField draft={draft} change={change} />
        <ExpiryField draft={draft} change={change} />
      </Group>
      {row.mode !== 'admin' && <LimitFields draft={draft} change={change} />}
    </DialogForm>
  );
}
