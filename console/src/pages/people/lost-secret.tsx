import { Alert, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { keysTexts } from '../../texts/keys.ts';

/** Says that a deed was done, but its secret was lost with the answer: the service stores no secret. */
export function LostSecret({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <Alert variant="light" color="red" title={title} role="alert">
      <Text size="sm">{keysTexts.lostSecret}</Text>
      {children}
    </Alert>
  );
}
