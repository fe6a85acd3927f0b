import { Tooltip } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import classes from './choice.module.css';

export interface ChoiceOption<T extends string | number> {
  readonly value: T;
  readonly label: ReactNode;
  /** Why it does not go with the rest; it can be chosen all the same. */
  readonly objection?: string | undefined;
}

/** One of a few, all of them seen: a radio group that looks like chips. */
export function Choice<T extends string | number>({
  label,
  options,
  value,
  onChange,
}: {
  readonly label: string;
  readonly options: readonly ChoiceOption<T>[];
  readonly value: T | null;
  readonly onChange: (value: T) => void;
}) {
  const name = useId();
  return (
    <fieldset className={classes.group}>
      <legend className="visually-hidden">{label}</legend>
      {options.map((option) => (
        <Tooltip key={option.value} label={option.objection} disabled={option.objection === undefined}>
          <label className={classes.option} data-objected={option.objection !== undefined || undefined}>
            <input
              type="radio"
              className={classes.input}
              name={name}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            {option.label}
            {option.objection !== undefined && <span className="visually-hidden">. {option.objection}</span>}
          </label>
        </Tooltip>
      ))}
    </fieldset>
  );
}
