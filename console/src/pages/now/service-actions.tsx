import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { perform } from '../../api/deeds.ts';
import type { DataOf } from '../../api/operations.ts';
import { SmallButton } from '../../components/buttons.ts';
import { DeedForm, DialogAbout } from '../../components/dialog.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Facts } from '../../components/facts.tsx';
import { RequestFields } from '../../components/fields/request-fields.tsx';
import { useRequestForm } from '../../components/fields/request-form.ts';
import { Segments, Toggle } from '../../components/inputs.tsx';
import { Panel } from '../../components/panel.tsx';
import { Mark } from '../../components/status-mark.tsx';
import { formatMany, inReadersForm } from '../../format.ts';
import type { Hold } from './read-checks.ts';

type Health = DataOf<'GET /admin/v1/health'>;

/** The actions for the whole service: hold it, and run all checks, which call every upstream. */
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
        <Toggle label="Show ended alerts" value={showsEnded} onChange={onShowEnded} />
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
    <Panel title="Health check" hint={faults === 0 ? 'All checks passed.' : `${formatMany(faults, 'check')} failed.`}>
      <Facts
        rows={checks.map(({ name, ok, detail }) => [
          name,
          <Mark key={name} tone={ok ? 'good' : 'bad'}>
            {inReadersForm(detail)}
          </Mark>,
        ])}
      />
    </Panel>
  );
}

const HOLD = 'Hold all orders';
const WAYS = { successor: 'In the place of the other', copy: 'Beside the other' };

/** Holds the service, so that it sends no orders and no webhooks, or ends the hold. */
function HoldButton({ hold }: { /** Undefined = not known. */ readonly hold: Hold | null | undefined }) {
  const [asked, setAsked] = useState<Hold | 'hold' | null>(null);
  return (
    <>
      {hold == null ? (
        <SmallButton disabled={hold === undefined} onClick={() => setAsked('hold')}>
          {HOLD}
        </SmallButton>
      ) : (
        <Button size="xs" onClick={() => setAsked(hold)}>
          End the hold
        </Button>
      )}
      <DialogAbout
        about={asked}
        title={(about) => (about === 'hold' ? `${HOLD}?` : 'End the hold?')}
        onClose={() => setAsked(null)}
      >
        {(about) => (about === 'hold' ? <HoldForm /> : <ReleaseForm isCopy={about.is_copy === true} />)}
      </DialogAbout>
    </>
  );
}

function HoldForm() {
  const form = useRequestForm('POST /admin/v1/hold', {});
  return (
    <DeedForm act={() => perform(form.operation, form.request, HOLD)} submit={HOLD} failed="Orders are not held">
      <Text size="sm">
        Orders are accepted and wait: none is sent to an upstream, and no webhook is sent. Orders that an upstream has
        are finished.
      </Text>
      <RequestFields form={form} rows={['message']} autoFocus />
    </DeedForm>
  );
}

function ReleaseForm({ isCopy }: { readonly isCopy: boolean }) {
  const [as, setAs] = useState<keyof typeof WAYS>('successor');
  return (
    <DeedForm
      act={() => perform('DELETE /admin/v1/hold', { query: isCopy ? { as } : {} })}
      submit="End the hold"
      failed="The hold goes on"
    >
      <Text size="sm">
        {isCopy
          ? 'This installation is a copy, or its database was restored. Orders that were open then may have been sent by the other one: they go into reconciliation.'
          : 'The orders that wait are sent.'}
      </Text>
      {isCopy && <Segments label="How it goes on" words={WAYS} value={as} onChange={setAs} />}
    </DeedForm>
  );
}
