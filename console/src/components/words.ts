import { Text } from '@mantine/core';

/** Words that matter less than those beside them. */
export const Hint = Text.withProps({ size: 'sm', c: 'dimmed' });

/** The same, smaller, below others. */
export const Small = Text.withProps({ size: 'xs', c: 'dimmed' });

/** Why something failed, in one line. */
export const Fault = Text.withProps({ size: 'sm', c: 'var(--mantine-color-error)', role: 'alert' });
