import { Fieldset, Group, NumberInput, SimpleGrid, TextInput } from '@mantine/core';
import { Agreement } from '../../components/toggle.tsx';
import { keysTexts } from '../../texts/keys.ts';
import type { Windows as Amounts, KeyDraft } from './key-draft.ts';

const texts = keysTexts.settings;

interface FieldsProps {
  readonly draft: KeyDraft;
  readonly change: (part: Partial<KeyDraft>) => void;
}

export function NameField({ draft, change }: FieldsProps) {
  return (
    <TextInput
      label={texts.name}
      placeholder={texts.namePlaceholder}
      maxLength={100}
      value={draft.name}
      onChange={(event) => change({ name: event.currentTarget.value })}
    />
  );
}

export function ExpiryField({ draft, change }: FieldsProps) {
  return (
    <TextInput
      type="datetime-local"
      label={texts.expires}
      description={texts.expiresHint}
      value={draft.expires}
      onChange={(event) => change({ expires: event.currentTarget.value })}
    />
  );
}

/** What a key that orders may spend and do. */
export function LimitFields({ draft, change }: FieldsProps) {
  return (
    <>
      <Windows legend={texts.spend} value={draft.spend} onChange={(spend) => change({ spend })} />
      <Windows legend={texts.endUser} value={draft.endUser} onChange={(endUser) => change({ endUser })} />
      <Fieldset legend={`${texts.rates} (${texts.zero})`}>
        <SimpleGrid cols={{ base: 2, xs: 4 }}>
          {(['rpm', 'readRpm', 'concurrency', 'queue'] as const).map((rate) => (
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
        </SimpleGrid>
      </Fieldset>
      <TextInput
        label={texts.models}
        description={texts.modelsHint}
        value={draft.models}
        onChange={(event) => change({ models: event.currentTarget.value })}
      />
      <NumberInput
        label={texts.approveOver}
        description={texts.approveOverHint}
        prefix="$"
        min={0}
        decimalScale={6}
        hideControls
        value={draft.approveOver}
        onChange={(approveOver) => change({ approveOver })}
      />
      <Agreement
        label={texts.accountView}
        isOn={draft.accountView}
        onChange={(accountView) => change({ accountView })}
      />
    </>
  );
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
    <Fieldset legend={`${legend} (${texts.dollars})`}>
      <Group grow align="flex-end">
        {(['day', 'month', 'total'] as const).map((window) => (
          <NumberInput
            key={window}
            label={texts[window]}
            prefix="$"
            min={0}
            decimalScale={6}
            hideControls
            value={value[window]}
            onChange={(amount) => onChange({ ...value, [window]: amount })}
          />
        ))}
      </Group>
    </Fieldset>
  );
}
