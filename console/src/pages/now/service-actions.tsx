import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { perform } from '../../api/deeds.ts';
import type { DataOf } from '../../api/operations.ts';
import { useDeed } from '../../api/use-deed.ts';
import { SmallButton } from '../../components/buttons.ts';
import { DialogAbout } from '../../components/dialog.tsx';
import { DialogForm } from '../../components/dialog-form.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Panel } from '../../components/panel.tsx';
import classes from '../../components/records.module.css';
import { Segments } from '../../components/segments.tsx';
import { Mark } from '../../components/status-mark.tsx';
import { Toggle } from '../../components/toggle.tsx';
import { withReadableTimes } from '../../format.ts';
import { operationsTexts } from '../../texts/operations.ts';
import type { Hold } from './read-checks.ts';

type Health = DataOf<'GET /admin/v1/health'>;

/** What can be done about the whole service: hold it, and check everything, which asks every upstream. */
export function ServiceActions({
  hold,
  showsEnded,
  onShowEnded,
}: {
  /** Undefined = not known. */
  readonly hold: Hold | null | undefined;
  readonly showsEnded: boolean;
  readonly onShowEnded: (shows: boolean) => void;
}) {
  const check = useMutation({ mutationFn: () => call('GET /admin/v1/health', {}) });
  return (
    <Stack gap="sm">
      <Group gap="sm" justify="space-between">
        <Toggle label="Show ended alerts" isOn={showsEnded} onChange={onShowEnded} />
        <Group gap="sm">
          <SmallButton loading={check.isPending} onClick={() => check.mutate()}>
            Check everything
          </SmallButton>
          <HoldButton hold={hold} />
        </Group>
      </Group>
      <ErrorNote error={check.error} />
      <div role="status">{check.data !== undefined && <Results checks={check.data.checks} />}</div>
    </Stack>
  );
}

function Results({ checks }: Pick<Health, 'checks'>) {
  const faults = checks.filter(({ ok }) => !ok).length;
  return (
    <Panel
      title="Health check"
      hint={faults === 0 ? 'All checks passed.' : faults === 1 ? '1 check failed.' : `${faults} checks failed.`}
    >
      <dl className={classes.facts}>
        {checks.map(({ name, ok, detail }) => (
          <div key={name}>
            <dt>
              <Mark tone={ok ? 'good' : 'bad'}>{name}</Mark>
            </dt>
            <dd>{withReadableTimes(detail)}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

const holdTexts = operationsTexts.hold;

/** Holds the service, so that it sends no order and no webhook, or ends that. */
function HoldButton({ hold }: { /** Undefined = not known. */ readonly hold: Hold | null | undefined }) {
  const [asked, setAsked] = useState<Hold | 'hold' | null>(null);
  const close = () => setAsked(null);
  return (
    <>
      {hold == null ? (
        <SmallButton disabled={hold === undefined} onClick={() => setAsked('hold')}>
          {holdTexts.hold}
        </SmallButton>
      ) : (
        <Button size="xs" onClick={() => setAsked(hold)}>
          {holdTexts.release}
        </Button>
      )}
      <DialogAbout
        about={asked}
        title={(about) => (about === 'hold' ? 'Hold all orders?' : 'End the hold?')}
        onClose={close}
      >
        {(about) => (about === 'hold' ? <HoldForm onClose={close} /> : <ReleaseForm hold={about} onClose={close} />)}
      </DialogAbout>
    </>
  );
}

function HoldForm({ onClose }: { readonly onClose: () => void }) {
  const [message, setMessage] = useState('');
  const told = message.trim();
  const deed = useDeed(
    () => perform('POST /admin/v1/hold', { body: told === '' ? {} : { message: told } }, holdTexts.hold),
    onClose,
  );
  return (
    <DialogForm deed={deed} texts={{ submit: holdTexts.hold, failed: 'Orders are not held' }} onClose={onClose}>
      <Text size="sm">
        Orders are accepted and wait: none is sent to an upstream, and no webhook is sent. Orders that an upstream has
        are finished.
      </Text>
      <TextInput
        label="For your customers"
        description="They read it on their orders"
        maxLength={500}
        value={message}
        onChange={(event) => setMessage(event.currentTarget.value)}
        data-autofocus
      />
    </DialogForm>
  );
}

function ReleaseForm({ hold: { is_copy: isCopy }, onClose }: { readonly hold: Hold; readonly onClose: () => void }) {
  const [as, setAs] = useState<keyof typeof holdTexts.as.words>('successor');
  const query = isCopy === true ? { as } : {};
  const deed = useDeed(() => perform('DELETE /admin/v1/hold', { query }), onClose);
  return (
    <DialogForm deed={deed} texts={{ submit: holdTexts.release, failed: 'The hold goes on' }} onClose={onClose}>
      <Text size="sm">
        {isCopy === true
          ? 'This installation is a copy, or its database was restored. Orders that were open then may have been sent by the other one: they go into reconciliation.'
          : 'The orders that wait are sent.'}
      </Text>
      {isCopy === true && <Segments label="How it goes on" words={holdTexts.as.words} value={as} onChange={setAs} />}
    </DialogForm>
  );
}
