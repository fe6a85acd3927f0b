import { ActionIcon, type ActionIconProps, Popover, Stack } from '@mantine/core';
import { IconSparkles } from '@tabler/icons-react';
import type { ReactNode } from 'react';

/** What a small tile offers, in a menu of its own. @param props.children the buttons */
export function OffersMenu({
  name,
  isOpen,
  onChange,
  children,
}: {
  /** Name of the result. */
  readonly name: string;
  readonly isOpen: boolean;
  readonly onChange: (isOpen: boolean) => void;
  readonly children: ReactNode;
}) {
  const label = `Order from this: ${name}`;
  return (
    <Popover opened={isOpen} onChange={onChange} position="bottom-end">
      <Popover.Target>
        <Tool label={label} onClick={() => onChange(!isOpen)}>
          <IconSparkles size={16} />
        </Tool>
      </Popover.Target>
      <Popover.Dropdown p={6} aria-label={label} onClick={() => onChange(false)}>
        <Stack gap={4}>{children}</Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

/** A button of a tile for the pointer: the keys do the same. */
export function Tool({
  label,
  ...props
}: ActionIconProps & { readonly label: string; readonly onClick: () => void; readonly children: ReactNode }) {
  return (
    <ActionIcon variant="filled" color="dark" size={30} tabIndex={-1} aria-label={label} title={label} {...props} />
  );
}
