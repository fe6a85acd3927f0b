import { Tooltip } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import classes from './field-label.module.css';

/** The name of a field, with its explanation in a tooltip. */
export function FieldLabel({ label, help }: { readonly label: string; readonly help?: string | undefined }) {
  if (help === undefined) return label;
  const text = help.replaceAll('`', '');
  return (
    <span className={classes.label}>
      {label}
      <Tooltip label={text}>
        <button type="button" className={classes.help} aria-label={text}>
          <IconInfoCircle size={15} stroke={1.6} aria-hidden="true" />
        </button>
      </Tooltip>
    </span>
  );
}
