import {
  Button,
  Checkbox,
  Fieldset,
  Group,
  Modal,
  NumberInput,
  SegmentedControl,
  Select,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call } from '../../api/client.ts';
import type { RequestOf } from '../../api/operations.ts';
import { refresh } from '../../api/use-api.ts';
import { ErrorNote } from '../../components/error-note.tsx';
import { keysTexts } from '../../texts/keys.ts';
import type { AccountRow } from './rows.ts';

const texts = keysTexts.newKey;
const MODES = ['test', 'live', 'admin'] as const;

interface Draft {
  readonly mode: (typeof MODES)[number];
  readonly accountId: string;
  readonly name: string;
  readonly expires: string;
  readonly models: string;
  readonly day: number | string;
  readonly month: number | string;
  readonly total: number | string;
  readonly rpm: number | string;
  readonly concurrency: number | string;
  readonly queue: number | string;
  readonly accountView: boolean;
}

const BLANK: Draft = {
  mode: 'test',
  accountId: 'default',
  name: '',
  expires: '',
  models: '',
  day: '',
  month: '',
  total: '',
  rpm: 0,
  concurrency: 0,
  queue: 10_000,
  accountView: false,
};

/** Issues a key with its limits. */
export function NewKeyModal({
  opened,
  accounts,
  onClose,
  onIssued,
}: {
  readonly opened: boolean;
  readonly accounts: readonly AccountRow[];
  readonly onClose: () => void;
  readonly onIssued: (secret: string) => void;
}) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={texts.title}
      size="lg"
      closeButtonProps={{ 'aria-label': keysTexts.close }}
    >
      <NewKeyForm accounts={accounts} onClose={onClose} onIssued={onIssued} />
    </Modal>
  );
}

function NewKeyForm({
  accounts,
  onClose,
  onIssued,
}: {
  readonly accounts: readonly AccountRow[];
  readonly onClose: () => void;
  readonly onIssued: (secret: string) => void;
}) {
  const [draft, setDraft] = useState(BLANK);
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
  const issue = useMutation({
    mutationFn: () => call('POST /admin/v1/keys', { body: bodyOf(draft) }),
    onSuccess: async ({ key }) => {
      await refresh('GET /admin/v1/keys', 'GET /admin/v1/audit');
      onIssued(key);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    issue.mutate();
  };
  const orders = draft.mode !== 'admin';
  return (
    <form onSubmit={submit}>
      <Stack>
        <div>
          <Text size="sm" fw={500} mb={4}>
            {texts.mode}
          </Text>
          <SegmentedControl
            fullWidth
            aria-label={texts.mode}
            value={draft.mode}
            onChange={(mode) => change({ mode: mode as Draft['mode'] })}
            data={MODES.map((mode) => ({ value: mode, label: texts.modes[mode][0] }))}
          />
          <Text size="xs" c="dimmed" mt={6} aria-live="polite">
            {texts.modes[draft.mode][1]}
          </Text>
        </div>
        <Group grow align="flex-start">
          <Select
            label={texts.account}
            allowDeselect={false}
            searchable
            value={draft.accountId}
            onChange={(accountId) => change({ accountId: accountId ?? 'default' })}
            data={accounts.map((account) => ({ value: account.account_id, label: account.name }))}
          />
          <TextInput
            label={texts.name}
            placeholder={texts.namePlaceholder}
            maxLength={100}
            value={draft.name}
            onChange={(event) => change({ name: event.currentTarget.value })}
          />
        </Group>
        <TextInput
          type="datetime-local"
          label={texts.expires}
          description={texts.expiresHint}
          value={draft.expires}
          onChange={(event) => change({ expires: event.currentTarget.value })}
        />
        {orders && <Limits draft={draft} change={change} />}
        {issue.error !== null && <ErrorNote title={texts.failed} error={issue.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {keysTexts.cancel}
          </Button>
          <Button type="submit" loading={issue.isPending}>
            {texts.submit}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Limits({ draft, change }: { readonly draft: Draft; readonly change: (part: Partial<Draft>) => void }) {
  return (
    <>
      <Fieldset legend={`${texts.spend} (${texts.dollars})`}>
        <Group grow>
          {(['day', 'month', 'total'] as const).map((window) => (
            <NumberInput
              key={window}
              label={texts[window]}
              prefix="$"
              min={0}
              decimalScale={6}
              hideControls
              value={draft[window]}
              onChange={(value) => change({ [window]: value })}
            />
          ))}
        </Group>
      </Fieldset>
      <Fieldset legend={`${texts.rates} (${texts.zero})`}>
        <Group grow>
          {(['rpm', 'concurrency', 'queue'] as const).map((rate) => (
            <NumberInput
              key={rate}
              label={texts[rate]}
              min={0}
              allowDecimal={false}
              hideControls
              value={draft[rate]}
              onChange={(value) => change({ [rate]: value })}
            />
          ))}
        </Group>
      </Fieldset>
      <TextInput
        label={texts.models}
        description={texts.modelsHint}
        value={draft.models}
        onChange={(event) => change({ models: event.currentTarget.value })}
      />
      <Checkbox
        label={texts.accountView}
        checked={draft.accountView}
        onChange={(event) => change({ accountView: event.currentTarget.checked })}
      />
    </>
  );
}

function bodyOf(draft: Draft): NonNullable<RequestOf<'POST /admin/v1/keys'>['body']> {
  const { mode, accountId, name, expires } = draft;
  const amount = (value: number | string) => (value === '' ? null : String(value));
  const count = (value: number | string) => (value === '' ? 0 : Number(value));
  const base = {
    mode,
    account_id: accountId,
    ...(name.trim() === '' ? {} : { name: name.trim() }),
    ...(expires === '' ? {} : { expires_at: new Date(expires).toISOString() }),
  };
  if (mode === 'admin') return base;
  return {
    ...base,
    models: patternsOf(draft.models),
    rpm: count(draft.rpm),
    concurrency: count(draft.concurrency),
    queue: count(draft.queue),
    spend_limits: { day: amount(draft.day), month: amount(draft.month), total: amount(draft.total) },
    account_view: draft.accountView,
  };
}

/** `"flux-*, sketch"` -> `['flux-*', 'sketch']` */
export function patternsOf(text: string): string[] {
  return text
    .split(/[\s,]+/)
    .map((word) => word.trim())
    .filter((word) => word !== '');
}
