import { Fieldset, NumberInput, PasswordInput, SimpleGrid, TextInput } from '@mantine/core';
import type { Amounts, FieldInput, FormField } from '../../api/form-field.ts';
import { fieldWords } from '../../texts/form-words.ts';
import { Agreement, DollarInput } from '../inputs.tsx';
import type { FieldName, FormInput, FormOperation } from './request-form.ts';

const WINDOWS = { day: 'a day', month: 'a month', total: 'in total' } as const;

/** Controls for fields of a request, by their schemas and the console's words. */
export function RequestFields<O extends FormOperation>({
  form,
  rows,
  autoFocus = false,
}: {
  readonly form: FormInput<O>;
  /** Names of fields; a list of names stands in one row. */
  readonly rows: readonly (FieldName<O> | readonly FieldName<O>[])[];
  /** Whether the first control gets the focus. */
  readonly autoFocus?: boolean;
}) {
  const draw = (name: FieldName<O>, isFirst: boolean) => {
    const field = form.fields[name as string];
    if (field === undefined) return null;
    return (
      <RequestField
        key={name as string}
        field={field}
        words={fieldWords(form.operation, name as string)}
        value={form.draft[name as string] ?? ''}
        onChange={(input) => form.change(name, input)}
        readOnly={form.isFixed(name)}
        data-autofocus={(autoFocus && isFirst) || undefined}
      />
    );
  };
  return rows.map((row, place) =>
    Array.isArray(row) ? (
      <SimpleGrid key={row.join()} cols={{ base: 2, xs: row.length }}>
        {row.map((name: FieldName<O>, column) => draw(name, place + column === 0))}
      </SimpleGrid>
    ) : (
      draw(row as FieldName<O>, place === 0)
    ),
  );
}

function RequestField({
  field: { kind, maxLength, zoned = false },
  words: { hint, ...words },
  value,
  onChange,
  ...props
}: {
  readonly field: FormField;
  readonly words: ReturnType<typeof fieldWords>;
  readonly value: FieldInput;
  readonly onChange: (input: FieldInput) => void;
  readonly readOnly: boolean;
  readonly 'data-autofocus': true | undefined;
}) {
  if (typeof value === 'object') {
    return <Windows legend={words.label} zoneHint={zoned ? hint : undefined} value={value} onChange={onChange} />;
  }
  if (typeof value === 'boolean') return <Agreement label={words.label} value={value} onChange={onChange} />;
  const common = { ...props, ...words, description: hint, value };
  if (kind === 'amount') return <DollarInput {...common} onChange={onChange} />;
  if (kind === 'count')
    return <NumberInput {...common} min={0} allowDecimal={false} hideControls onChange={onChange} />;
  const text = {
    ...common,
    value: String(value),
    onChange: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) => onChange(currentTarget.value),
    ...(maxLength === undefined || kind === 'moment' ? {} : { maxLength }),
  };
  if (kind === 'secret') return <PasswordInput {...text} autoComplete="off" />;
  return <TextInput {...text} type={kind === 'moment' ? 'datetime-local' : 'text'} autoComplete="off" />;
}

/** Amounts per day, per month and in total, and the time zone in which they count. */
function Windows({
  legend,
  zoneHint,
  value,
  onChange,
}: {
  readonly legend: string;
  /** Undefined = they have no time zone of their own. */
  readonly zoneHint: string | undefined;
  readonly value: Amounts;
  readonly onChange: (value: Amounts) => void;
}) {
  return (
    <>
      <Fieldset legend={legend}>
        <SimpleGrid cols={3}>
          {Object.entries(WINDOWS).map(([window, label]) => (
            <DollarInput
              key={window}
              label={label}
              placeholder="No limit"
              value={value[window as keyof typeof WINDOWS]}
              onChange={(amount) => onChange({ ...value, [window]: amount })}
            />
          ))}
        </SimpleGrid>
      </Fieldset>
      {zoneHint !== undefined && (
        <ZoneField
          description={zoneHint}
          value={value.timezone ?? ''}
          onChange={(timezone) => onChange({ ...value, timezone })}
        />
      )}
    </>
  );
}

/** A field for an IANA time zone. */
export function ZoneField({
  onChange,
  ...props
}: Readonly<{ description: string; value: string; onChange: (zone: string) => void }>) {
  return (
    <TextInput
      label="Time zone"
      placeholder="Europe/Berlin"
      maxLength={64}
      {...props}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
