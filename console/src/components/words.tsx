import { Box, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatMoment } from '../format.ts';

/** Text that matters less than the text beside it. */
export const Hint = Text.withProps({ size: 'sm', c: 'dimmed' });

/** Smaller text that matters less, below other text. */
export const Small = Text.withProps({ size: 'xs', c: 'dimmed' });

/** Error message of one line. */
export const Fault = Text.withProps({ size: 'sm', c: 'var(--mantine-color-error)', role: 'alert' });

/** The name of a table's row, with small details below it. */
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

/** Text in a table, which may be long, with its source in small text below. */
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

/** A time in a table. */
export function Moment({ at }: { readonly at: string | null }) {
  return at === null ? null : <span className="figures">{formatMoment(at)}</span>;
}
