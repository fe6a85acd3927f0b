import { Collapse, UnstyledButton } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import classes from './studio.module.css';

/** A collapsible part of the form. */
export function Fold({
  label,
  icon,
  note,
  children,
}: {
  readonly label: { readonly open: string; readonly closed: string };
  readonly icon: ReactNode;
  /** A summary, shown while it is closed. */
  readonly note?: string | undefined;
  readonly children: ReactNode;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div>
      <UnstyledButton className={classes.more} onClick={() => setOpen(!isOpen)} aria-expanded={isOpen}>
        {icon}
        {isOpen ? label.open : label.closed}
        {!isOpen && note !== undefined && <span className={classes.note}>{note}</span>}
        <IconChevronDown size={16} aria-hidden="true" className={classes.chevron} data-open={isOpen || undefined} />
      </UnstyledButton>
      <Collapse expanded={isOpen}>
        <div className={classes.fold}>{children}</div>
      </Collapse>
    </div>
  );
}
