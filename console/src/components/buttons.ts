import { Button } from '@mantine/core';

/** A button beside the one that a page or a form is for. */
export const PlainButton = Button.withProps({ variant: 'default' });

/** The same in a row, a bar or a note. */
export const SmallButton = Button.withProps({ variant: 'default', size: 'xs' });
