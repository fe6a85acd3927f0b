import { Fieldset, Group, NumberInput, SimpleGrid, TextInput } from '@mantine/core';
import type { ChangeEvent } from 'react';
import { Agreement, DollarInput } from '../../components/inputs.tsx';
import type { Windows as Amounts, KeyField } from './key-draft.ts';

/** Grace periods of a rotation, in seconds, during which the old secret still works. */
export const GRACES = [
  { value: '0', label: 'No time: stop it now' },
  { value: '3600', label: 'An hour' },
  { value: '86400', label: 'A day' },
  { value: '604800', label: 'A week' },
];
export const A_DAY = '86400';

const RATES = [
  ['rpm', 'Orders/min'],
  ['read_rpm', 'Reads/min'],
  ['concurrency', 'At once'],
  ['queue', 'In the queue'],
] as const;
const WINDOWS = [
  ['day', 'a day'],
  ['month', 'a month'],
  ['total', 'in total'],
] as const;

export function NameField({ field }: { readonly field: KeyField }) {
  return <TextInput label="Name" placeholder="shop backend" maxLength={100} {...field('name')} />;
}

export function ExpiryField({ field }: { readonly field: KeyField }) {
  return (
    <TextInput
      type="datetime-local"
      label="Expires"
      description="Your local time. Empty: never"
      {...field('expires_at')}
    />
  );
}

/** Fields for the limits and permissions of an ordering key. */
export function LimitFields({ field }: { readonly field: KeyField }) {
  return (
    <>
      <Windows legend="Spend limits" {...field('spend_limits')} />
      <Windows legend="Limits of each end user without its own" {...field('end_user_limits')} />
      <ZoneField description="Whose days and months these limits count. Empty: UTC" {...field('timezone')} />
      <Fieldset legend="Rates (0: no limit)">
        <SimpleGrid cols={{ base: 2, xs: 4 }}>
          {RATES.map(([rate, label]) => (
            <NumberInput key={rate} label={label} min={0} allowDecimal={false} hideControls {...field(rate)} />
          ))}
        </SimpleGrid>
      </Fieldset>
      <TextInput
        label="Models"
        description="Patterns with commas, such as flux-*, sketch. Empty: every model"
        {...field('models')}
      />
      <DollarInput
        label="Ask a person above"
        description="For orders of agents through MCP. Empty: as the service is set"
        {...field('approve_over')}
      />
      <Agreement label="Can see the usage and ledger of the whole account" {...field('account_view')} />
    </>
  );
}

export function ZoneField(
  props: Readonly<{ description: string; value: string; onChange: (event: ChangeEvent<HTMLInputElement>) => void }>,
) {
  return <TextInput label="Time zone" placeholder="Europe/Berlin" maxLength={64} {...props} />;
}

/** Amounts per day, per month and in total. */
export function Windows({
  legend,
  value,
  onChange,
}: {
  readonly legend: string;
  readonly value: Amounts;
  readonly onChange: (value: Amounts) => void;
}) {
  return (
    <Fieldset legend={`${legend} (empty: no limit)`}>
      <Group grow align="flex-end">
        {WINDOWS.map(([window, label]) => (
          <DollarInput
            key={window}
            label={label}
            value={value[window]}
            onChange={(amount) => onChange({ ...value, [window]: amount })}
          />
        ))}
      </Group>
    </Fieldset>
  );
}
