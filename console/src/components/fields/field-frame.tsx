import { Input, Stack } from '@mantine/core';
import type { ReactNode } from 'react';

/** Label, help and fault around a control that has none of its own. */
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
      <div>
        <Input.Label component="div">{label}</Input.Label>
        {description !== undefined && <Input.Description>{description}</Input.Description>}
      </div>
      {children}
      {fault !== undefined && <Input.Error role="alert">{fault}</Input.Error>}
    </Stack>
  );
}
