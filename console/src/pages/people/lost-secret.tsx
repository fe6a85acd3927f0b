import { Alert, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** Says that a deed was done, but its secret was lost with the answer: the service stores no secret. */
export function LostSecret({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <Alert variant="light" color="red" title={title} role="alert">
      <Text size="sm">The service stores no secret, so nobody can read it. Rotate the key to get a new one.</Text>
      {children}
    </Alert>
  );
}
