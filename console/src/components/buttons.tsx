import { ActionIcon, type ActionIconProps, Button, Tooltip, type TooltipProps } from '@mantine/core';
import type { ComponentProps } from 'react';

/** A button beside the one that a page or a form is for. */
export const PlainButton = Button.withProps({ variant: 'default' });

/** The same in a row, a bar or a note. */
export const SmallButton = Button.withProps({ variant: 'default', size: 'xs' });

type Look = ActionIconProps & Omit<ComponentProps<'button'>, keyof ActionIconProps>;
type Tip = Pick<TooltipProps, 'events'>;

/** A button with an icon only. Its name is its tooltip too. */
export function IconButton({ label, tip = {}, ...button }: Look & { readonly label: string; readonly tip?: Tip }) {
  return (
    <Tooltip label={label} {...tip}>
      <ActionIcon aria-label={label} {...button} />
    </Tooltip>
  );
}
