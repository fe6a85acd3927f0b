import { Alert, Button, Fieldset, Group, Input, Select, Skeleton, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { perform, useDeed } from '../../api/deeds.ts';
import { notify } from '../../api/undo.ts';
import { useApi } from '../../api/use-api.ts';
import { AsSeen } from '../../components/as-seen.tsx';
import { DeedForm } from '../../components/dialog.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { RequestFields } from '../../components/fields/request-fields.tsx';
import { type FormInput, useRequestForm } from '../../components/fields/request-form.ts';
import { Segments } from '../../components/inputs.tsx';
import { useDraft } from '../../components/use-draft.ts';
import { Hint, Small } from '../../components/words.tsx';
import { formatCount, formatMany } from '../../format.ts';
import { AccountSelect } from './account-select.tsx';
import { A_DAY, GRACES, type KeyRow, NEW_KEY } from './key-settings.ts';
import { isOfService, type KeySource } from './key-source.ts';

type Named = Pick<KeyRow, 'key_id' | 'name'>;
/** Called with a new secret. */
interface Issuing {
  readonly source: KeySource;
  readonly onIssued: (secret: string) => void;
}
interface Changing {
  readonly source: KeySource;
  readonly row: KeyRow;
}

const IN_ACCOUNT = { test: 'Test', live: 'Live' };
const MODES = { ...IN_ACCOUNT, admin: 'Admin' };
const MEANINGS = {
  test: 'Drawings in place of every model; nothing is charged',
  live: 'The models’ real engines, charged to the account',
  admin: 'Manages accounts, keys and engines; cannot order',
};
type Mode = keyof typeof MODES;
/** Days and months are those of UTC if a form's time zone is emptied. */
const NO_ZONE = { timezone: 'UTC' };
/** The settings of an admin key, which orders nothing. */
const OF_ADMIN = ['mode', 'account_id', 'name', 'expires_at'] as const;
const NOT_ROTATED = 'The key was not rotated';

/** Issues a key with its limits. */
export function NewKeyForm({ source, onIssued }: Issuing) {
  const form = useRequestForm(source.issue, NEW_KEY, NO_ZONE);
  const [lost, setLost] = useState<Named | null>(null);
  const mode = form.draft.mode as Mode;
  const ofService = isOfService(source);
  const words: Readonly<Record<string, string>> = ofService ? MODES : IN_ACCOUNT;
  const issue = () =>
    perform(form.operation, mode === 'admin' ? form.requestOf(OF_ADMIN) : form.request, `New key: ${form.draft.name}`);
  const rotate = useDeed(
    (key: Named) => rotateKey(source, key, 0),
    ({ key }) => key !== null && onIssued(key),
  );
  return (
    <DeedForm
      act={issue}
      onDone={({ key, ...named }) => {
        if (key !== null) return onIssued(key);
        setLost(named);
        return false;
      }}
      submit="Create the key"
      failed="The key was not created"
      isReady={lost === null}
    >
      <Input.Wrapper label="Mode" labelElement="div">
        <Segments label="Mode" words={words} fullWidth value={mode} onChange={(next) => form.change('mode', next)} />
        <Small mt={6} aria-live="polite">
          {MEANINGS[mode]}
        </Small>
      </Input.Wrapper>
      <Group grow align="flex-start">
        {ofService && (
          <AccountSelect
            label="Account"
            allowDeselect={false}
            value={String(form.draft.account_id)}
            onChange={(account) => form.change('account_id', account ?? '')}
          />
        )}
        <RequestFields form={form} rows={['name']} />
      </Group>
      <RequestFields form={form} rows={['expires_at']} />
      {mode !== 'admin' && <LimitFields form={form} />}
      {lost !== null && (
        <LostSecret title={`The key ${lost.name} was created, but its secret was lost with the answer`}>
          <Button size="xs" mt="sm" loading={rotate.isPending} onClick={() => rotate.mutate(lost)}>
            Give it a new secret now
          </Button>
        </LostSecret>
      )}
      <ErrorNote title={NOT_ROTATED} error={rotate.error} />
    </DeedForm>
  );
}

/** Changes the settings of a key. Sends only changed fields, so that two operators do not undo each other's changes. */
export function EditKeyForm({ source, row }: Changing) {
  const form = useRequestForm(source.change, row, NO_ZONE);
  return (
    <DeedForm
      act={() => perform(form.operation, form.changes)}
      onDone={({ name }) => notify(`${name} is changed.`)}
      submit="Save"
      failed="The key was not changed"
      isReady={form.hasChanges}
    >
      <Hint>
        A change applies within five seconds. Orders that were placed before keep their price and their place.
      </Hint>
      <RequestFields form={form} rows={[['name', 'expires_at']]} />
      {row.mode !== 'admin' && <LimitFields form={form} />}
    </DeedForm>
  );
}

/** The fields for the limits and permissions of an ordering key. */
function LimitFields({ form }: { readonly form: FormInput<KeySource['issue' | 'change']> }) {
  return (
    <>
      <RequestFields form={form} rows={['spend_limits', 'end_user_limits', 'timezone']} />
      <Fieldset legend="Rates (0: no limit)">
        <RequestFields form={form} rows={[['rpm', 'read_rpm', 'concurrency', 'queue']]} />
      </Fieldset>
      <RequestFields form={form} rows={['models', 'approve_over', 'account_view']} />
    </>
  );
}

/** Rotates the secret of a key, with a grace period in which both work. */
export function RotateForm({ source, row, onIssued }: Issuing & { readonly row: KeyRow }) {
  const { draft, change, field } = useDraft({ grace: A_DAY, isLost: false });
  return (
    <DeedForm
      act={() => rotateKey(source, row, Number(draft.grace))}
      onDone={({ key }) => {
        if (key !== null) return onIssued(key);
        change({ isLost: true });
        return false;
      }}
      submit={draft.isLost ? 'Rotate again' : 'Rotate'}
      failed={NOT_ROTATED}
    >
      <Text size="sm">
        Its tasks and limits stay. Choose how long the old secret keeps working, so that your program can switch.
      </Text>
      <Select label="The old secret works for" allowDeselect={false} data={GRACES} {...field('grace')} />
      {draft.isLost && <LostSecret title="The key was rotated, but its new secret was lost with the answer" />}
    </DeedForm>
  );
}

/** Rotates the secret. The answer's `key` is null if a lost answer contained the secret. */
function rotateKey(source: KeySource, { key_id, name }: Named, grace: number) {
  return perform(source.rotate, { path: { key_id }, body: { grace_seconds: grace } }, `New secret for ${name}`);
}

/** Reports that a deed was done, but its secret was lost with the answer: the service stores no secrets. */
function LostSecret({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <Alert variant="light" color="red" title={title} role="alert">
      <Text size="sm">The service stores no secret, so nobody can read it. Rotate the key to get a new one.</Text>
      {children}
    </Alert>
  );
}

/** Revokes a key. Shows operators the number of lost tasks; an account still lists the orders of its revoked keys. */
export function RevokeForm({ source, row: { key_id, name } }: Changing) {
  const isCounted = isOfService(source);
  // Counted each time: the key may be in use.
  const key = useApi('GET /admin/v1/keys/{key_id}', { path: { key_id } }, { staleTime: 0, enabled: isCounted });
  return (
    <DeedForm
      act={() => perform(source.revoke, { path: { key_id } }, `Revoke ${name}?`)}
      onDone={({ unreachable_tasks: lost }) =>
        notify(
          !isCounted
            ? `${name} is revoked.`
            : lost === 0
              ? 'The key is revoked. It had no tasks.'
              : `The key is revoked. ${formatCount(lost)} of its tasks can no longer be accessed.`,
        )
      }
      submit="Revoke permanently"
      failed="The key was not revoked"
      isGrave
      isReady={!isCounted || key.data !== undefined}
    >
      <Text size="sm">
        The key stops working within five seconds, permanently.{' '}
        {isCounted
          ? 'Its tasks belong only to it, so nobody can access them afterwards.'
          : 'Its orders stay with the account.'}
      </Text>
      {isCounted && (
        <AsSeen of={key} title="Its tasks could not be counted" placeholder={<Skeleton h={22} aria-hidden="true" />}>
          {({ tasks }) => (
            <Text fw={600} role="status">
              {tasks === 0 ? 'It has no tasks.' : `${formatMany(tasks, 'task')} can no longer be accessed.`}
            </Text>
          )}
        </AsSeen>
      )}
    </DeedForm>
  );
}
