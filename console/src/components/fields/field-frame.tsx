import { Input, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { FieldLabel } from './field-label.tsx';

/** Adds label, help and error to a control that has none. */
export function FieldFrame({
  label,
  description,
  fault,
  children,
}: {
  readonly label: string;
  readonly description?: string | undefined;
  readonly fault?: string | undefined;
  readonly children: ReactNode;
}) {
  return (
    <Stack gap={6}>
      <Input.Label labelElement="div">
        <FieldLabel label={label} help={description} />
      </Input.Label>
      {children}
      {fault !== undefined && <Input.Error role="alert">{fault}</Input.Error>}
    </Stack>
  );
}
