import { ActionIcon, type ActionIconProps, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';

/** A button with an icon only. Its name is its tooltip too. */
export function IconButton({
  label,
  children,
  ...button
}: ActionIconProps & {
  readonly label: string;
  readonly onClick: () => void;
  readonly 'aria-pressed'?: boolean;
  readonly 'aria-disabled'?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <Tooltip label={label}>
      <ActionIcon aria-label={label} {...button}>
        {children}
      </ActionIcon>
    </Tooltip>
  );
}
