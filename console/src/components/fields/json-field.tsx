import { Textarea } from '@mantine/core';
import { useState } from 'react';
import { studioTexts } from '../../texts/studio.ts';
import { FieldLabel } from './field-label.tsx';
import type { ParameterFieldProps } from './parameter-field-props.ts';

/** A JSON editor for parameters without a special control. */
export function JsonField({ schema, value, onChange, fault, label }: ParameterFieldProps & { readonly label: string }) {
  const [text, setText] = useState(value === null ? '' : JSON.stringify(value));
  const [malformed, setMalformed] = useState(false);
  const read = (next: string) => {
    setText(next);
    try {
      onChange(next.trim() === '' ? null : JSON.parse(next));
      setMalformed(false);
    } catch {
      setMalformed(true);
    }
  };
  return (
    <Textarea
      label={<FieldLabel label={`${label} (${studioTexts.json})`} help={schema.description} />}
      aria-label={label}
      value={text}
      onChange={({ currentTarget }) => read(currentTarget.value)}
      error={malformed ? studioTexts.jsonFault : fault}
      placeholder={schema.type === 'array' ? '[ ]' : '{ }'}
      autosize
      minRows={1}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: '0.8125rem' } }}
    />
  );
}
