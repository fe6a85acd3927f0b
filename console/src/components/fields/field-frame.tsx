import type { JsonValue } from '@darkroom-service/contract';
import { Input, Stack, Tooltip } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { CatalogModel, ParameterSchema, Values } from '../../api/model.ts';
import classes from './field-label.module.css';

/** Adds label, help and error to a control that has none. */
export function FieldFrame({
  label,
  description,
  fault,
  children,
}: {
  readonly label: string;
  readonly description?: string | undefined;
  readonly fault?: string | undefined;
  readonly children: ReactNode;
}) {
  return (
    <Stack gap={6}>
      <Input.Label labelElement="div">
        <FieldLabel label={label} help={description} />
      </Input.Label>
      {children}
      {fault !== undefined && <Input.Error role="alert">{fault}</Input.Error>}
    </Stack>
  );
}

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

export interface ParameterFieldProps {
  readonly name: string;
  readonly schema: ParameterSchema;
  /** Null = the model chooses. */
  readonly value: JsonValue;
  readonly onChange: (value: JsonValue) => void;
  readonly fault?: string | undefined;
  /** Whether a value is required. */
  readonly required?: boolean | undefined;
  /** The other values, to mark options that would conflict with them. */
  readonly model?: CatalogModel | undefined;
  readonly values?: Values | undefined;
}
