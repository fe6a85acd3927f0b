import { Button, Group, Input, SegmentedControl, Select } from '@mantine/core';
import { useState } from 'react';
import { perform } from '../../api/deeds.ts';
import { useDeed } from '../../api/use-deed.ts';
import { DialogForm } from '../../components/dialog-form.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Small } from '../../components/words.ts';
import { keysTexts } from '../../texts/keys.ts';
import { BLANK, type KeyDraft, settingsOf } from './key-draft.ts';
import { ExpiryField, LimitFields, NameField } from './key-fields.tsx';
import { isOfService, type KeySource } from './key-source.ts';
import { LostSecret } from './lost-secret.tsx';
import type { AccountRow } from './rows.ts';
import { useRotation } from './use-rotation.ts';

const texts = keysTexts.newKey;
type Mode = keyof typeof texts.modes;

/** Issues a key with its limits. */
export function NewKeyForm({
  source,
  accounts,
  onClose,
  onIssued,
}: {
  readonly source: KeySource;
  /** Those that it may belong to; none = the one in use. */
  readonly accounts: readonly AccountRow[];
  readonly onClose: () => void;
  readonly onIssued: (secret: string) => void;
}) {
  const [draft, setDraft] = useState(BLANK);
  const [mode, setMode] = useState<Mode>('test');
  const [accountId, setAccountId] = useState('default');
  const modes: readonly Mode[] = isOfService(source) ? ['test', 'live', 'admin'] : ['test', 'live'];
  const change = (part: Partial<KeyDraft>) => setDraft((before) => ({ ...before, ...part }));
  const issue = useDeed(
    () => {
      const settings = settingsOf(draft, mode === 'admin');
      const title = `${texts.title}: ${draft.name}`;
      if (isOfService(source))
        return perform(source.issue, { body: { mode, account_id: accountId, ...settings } }, title);
      return perform(source.issue, { body: { mode: mode === 'live' ? 'live' : 'test', ...settings } }, title);
    },
    ({ key }) => {
      if (key !== null) onIssued(key);
    },
  );
  const rotate = useRotation(source, onIssued);
  const lost = issue.data?.key === null ? issue.data : null;
  return (
    <DialogForm deed={issue} texts={texts} isReady={lost === null} onClose={onClose}>
      <Input.Wrapper label={texts.mode} labelElement="div">
        <SegmentedControl
          fullWidth
          aria-label={texts.mode}
          value={mode}
          onChange={(value) => setMode(value as Mode)}
          data={modes.map((value) => ({ value, label: texts.modes[value][0] }))}
        />
        <Small mt={6} aria-live="polite">
          {texts.modes[mode][1]}
        </Small>
      </Input.Wrapper>
      <Group grow align="flex-start">
        {accounts.length > 0 && (
          <Select
            label="Account"
            allowDeselect={false}
            searchable
            value={accountId}
            onChange={(value) => setAccountId(value ?? 'default')}
            data={accounts.map((account) => ({ value: account.account_id, label: account.name }))}
          />
        )}
        <NameField draft={draft} change={change} />
      </Group>
      <ExpiryField draft={draft} change={change} />
      {mode !== 'admin' && <LimitFields draft={draft} change={change} />}
      {lost !== null && (
        <LostSecret title={`The key ${lost.name} was created, but its secret was lost with the answer`}>
          <Button
            size="xs"
            mt="sm"
            loading={rotate.isPending}
            onClick={() => rotate.mutate({ keyId: lost.key_id, name: lost.name, grace: 0 })}
          >
            Give it a new secret now
          </Button>
        </LostSecret>
      )}
      <ErrorNote title={keysTexts.rotation.failed} unknown={keysTexts.rotation.unknown} error={rotate.error} />
    </DialogForm>
  );
}
