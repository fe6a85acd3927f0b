import { ActionIcon, type ActionIconProps, Tooltip, type TooltipProps } from '@mantine/core';
import type { ComponentProps } from 'react';

type Look = ActionIconProps & Omit<ComponentProps<'button'>, keyof ActionIconProps>;
type Tip = Pick<TooltipProps, 'events'>;

/** A button with only an icon. Its name is also its tooltip. */
export function IconButton({ label, tip = {}, ...button }: Look & { readonly label: string; readonly tip?: Tip }) {
  return (
    <Tooltip label={label} {...tip}>
      <ActionIcon aria-label={label} {...button} />
    </Tooltip>
  );
}
