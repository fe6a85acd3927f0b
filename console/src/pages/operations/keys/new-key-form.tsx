import { Button, Group, Input, SegmentedControl, Select } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { perform } from '../../../api/deeds.ts';
import { refresh } from '../../../api/use-api.ts';
import { DialogForm } from '../../../components/dialog-form.tsx';
import { ErrorNote } from '../../../components/error-note.tsx';
import { Small } from '../../../components/words.ts';
import { keysTexts } from '../../../texts/keys.ts';
import { BLANK, type KeyDraft, settingsOf } from './key-draft.ts';
import { ExpiryField, LimitFields, NameField } from './key-fields.tsx';
import { LostSecret } from './lost-secret.tsx';
import type { AccountRow } from './rows.ts';
import { useRotation } from './use-rotation.ts';

const texts = keysTexts.newKey;
const MODES = ['test', 'live', 'admin'] as const;
type Mode = (typeof MODES)[number];

/** Issues a key with its limits. */
export function NewKeyForm({
  accounts,
  onClose,
  onIssued,
}: {
  readonly accounts: readonly AccountRow[];
  readonly onClose: () => void;
  readonly onIssued: (secret: string) => void;
}) {
  const [draft, setDraft] = useState(BLANK);
  const [mode, setMode] = useState<Mode>('test');
  const [accountId, setAccountId] = useState('default');
  const change = (part: Partial<KeyDraft>) => setDraft((before) => ({ ...before, ...part }));
  const issue = useMutation({
    mutationFn: () =>
      perform(
        'POST /admin/v1/keys',
        { body: { mode, account_id: accountId, ...settingsOf(draft, mode === 'admin') } },
        `${texts.title}: ${draft.name}`,
      ),
    onSuccess: async ({ key }) => {
      await refresh('GET /admin/v1/keys', 'GET /admin/v1/audit');
      if (key !== null) onIssued(key);
    },
  });
  const rotate = useRotation(onIssued);
  const lost = issue.data?.key === null ? issue.data : null;
  return (
    <DialogForm deed={issue} texts={texts} isReady={lost === null} onSubmit={() => issue.mutate()} onClose={onClose}>
      <Input.Wrapper label={texts.mode} labelElement="div">
        <SegmentedControl
          fullWidth
          aria-label={texts.mode}
          value={mode}
          onChange={(value) => setMode(value as Mode)}
          data={MODES.map((value) => ({ value, label: texts.modes[value][0] }))}
        />
        <Small mt={6} aria-live="polite">
          {texts.modes[mode][1]}
        </Small>
      </Input.Wrapper>
      <Group grow align="flex-start">
        <Select
          label={texts.account}
          allowDeselect={false}
          searchable
          value={accountId}
          onChange={(value) => setAccountId(value ?? 'default')}
          data={accounts.map((account) => ({ value: account.account_id, label: account.name }))}
        />
        <NameField draft={draft} change={change} />
      </Group>
      <ExpiryField draft={draft} change={change} />
      {mode !== 'admin' && <LimitFields draft={draft} change={change} />}
      {lost !== null && (
        <LostSecret title={texts.lost(lost.name)}>
          <Button
            size="xs"
            mt="sm"
            loading={rotate.isPending}
            onClick={() => rotate.mutate({ keyId: lost.key_id, name: lost.name, grace: 0 })}
          >
            {texts.rotate}
          </Button>
        </LostSecret>
      )}
      {rotate.error !== null && (
        <ErrorNote title={keysTexts.rotation.failed} unknown={keysTexts.rotation.unknown} error={rotate.error} />
      )}
    </DialogForm>
  );
}
