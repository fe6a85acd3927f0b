import { Box, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatMoment } from '../format.ts';

/** Words that matter less than those beside them. */
export const Hint = Text.withProps({ size: 'sm', c: 'dimmed' });

/** The same, smaller, below others. */
export const Small = Text.withProps({ size: 'xs', c: 'dimmed' });

/** Why something failed, in one line. */
export const Fault = Text.withProps({ size: 'sm', c: 'var(--mantine-color-error)', role: 'alert' });

/** What a row of a table is called, and small below it what tells more. */
export function Named({ name, more }: { readonly name: string; readonly more?: ReactNode }) {
  return (
    <Box maw="56ch" className="free-text">
      <Text size="sm" fw={550}>
        {name}
      </Text>
      <Below>{more}</Below>
    </Box>
  );
}

/** Words in a table, which may be long, and small below them where they come from. */
export function Told({ children, more }: { readonly children: ReactNode; readonly more?: ReactNode }) {
  return (
    <Box maw="56ch" className="free-text">
      {children}
      <Below>{more}</Below>
    </Box>
  );
}

function Below({ children }: { readonly children: ReactNode }) {
  if (children == null || children === '' || children === false) return null;
  return <Small>{children}</Small>;
}

/** When something was, in a table. */
export function Moment({ at }: { readonly at: string | null }) {
  return at === null ? null : <span className="figures">{formatMoment(at)}</span>;
}
