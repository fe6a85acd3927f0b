import type { ButtonProps } from '@mantine/core';
import type { ReactNode, Ref } from 'react';
import { PlainButton } from '../buttons.ts';
import classes from './selection.module.css';

/** An action for all that are selected: an icon with a word, which is not shown on a phone. */
export function BarButton({
  label,
  icon,
  ...others
}: Pick<ButtonProps, 'loading' | 'disabled' | 'color'> & {
  readonly label: string;
  readonly icon: ReactNode;
  readonly onClick?: () => void;
  readonly ref?: Ref<HTMLButtonElement>;
  readonly 'aria-haspopup'?: 'dialog';
  readonly 'aria-expanded'?: boolean;
}) {
  return (
    <PlainButton {...others} size="sm" className={classes.action ?? ''} leftSection={icon} title={label}>
      {label}
    </PlainButton>
  );
}
