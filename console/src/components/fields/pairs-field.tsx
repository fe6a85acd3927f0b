import { ActionIcon, TextInput } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { SmallButton } from '../buttons.ts';
import { FieldFrame } from './field-frame.tsx';
import classes from './pairs-field.module.css';

export interface Pair {
  /** A stable key while the name is being typed. */
  readonly id: number;
  readonly name: string;
  readonly value: string;
}

/** An editor for name-value pairs. */
export function PairsField({
  label,
  help,
  pairs,
  onChange,
  most,
  longest,
  fault,
}: {
  readonly label: string;
  readonly help: string;
  readonly pairs: readonly Pair[];
  readonly onChange: (pairs: readonly Pair[]) => void;
  readonly most: number;
  /** Maximum length in characters. */
  readonly longest: { readonly name: number; readonly value: number };
  readonly fault: string | undefined;
}) {
  return (
    <FieldFrame label={label} description={help} fault={fault}>
      {pairs.map((pair, place) => (
        <div key={pair.id} className={classes.pair}>
          <TextInput
            aria-label={`Name of note ${place + 1}`}
            placeholder="name"
            value={pair.name}
            maxLength={longest.name}
            onChange={({ currentTarget }) => onChange(pairs.with(place, { ...pair, name: currentTarget.value }))}
          />
          <TextInput
            aria-label={`Value of note ${place + 1}`}
            placeholder="value"
            dir="auto"
            value={pair.value}
            maxLength={longest.value}
            onChange={({ currentTarget }) => onChange(pairs.with(place, { ...pair, value: currentTarget.value }))}
          />
          <ActionIcon aria-label={`Remove note ${place + 1}`} onClick={() => onChange(pairs.toSpliced(place, 1))}>
            <IconX size={16} aria-hidden="true" />
          </ActionIcon>
        </div>
      ))}
      {pairs.length < most && (
        <SmallButton
          style={{ alignSelf: 'start' }}
          leftSection={<IconPlus size={14} aria-hidden="true" />}
          onClick={() =>
            onChange([...pairs, { id: 1 + Math.max(0, ...pairs.map(({ id }) => id)), name: '', value: '' }])
          }
        >
          Add a note
        </SmallButton>
      )}
    </FieldFrame>
  );
}
