import { Tooltip } from '@mantine/core';
import { type ReactNode, useId, useState } from 'react';
import classes from './choice.module.css';

interface ChoiceOption<T extends string | number> {
  readonly value: T;
  readonly label: ReactNode;
  /** Why it conflicts with the other settings; it can still be chosen. */
  readonly objection?: string | undefined;
}

/** A radio group that looks like chips. */
export function Choice<T extends string | number>({
  label,
  options,
  further = [],
  value,
  onChange,
}: {
  readonly label: string;
  readonly options: readonly ChoiceOption<T>[];
  /** Options behind a button, also shown while one of them is chosen. */
  readonly further?: readonly ChoiceOption<T>[];
  readonly value: T | null;
  readonly onChange: (value: T) => void;
}) {
  const name = useId();
  const [open, setOpen] = useState(false);
  const isOpen = open || further.some((option) => option.value === value);
  return (
    <fieldset className={classes.group}>
      <legend className="visually-hidden">{label}</legend>
      {(isOpen ? [...options, ...further] : options).map((option) => (
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
      {further.length > 0 && !isOpen && (
        <button type="button" className={classes.more} onClick={() => setOpen(true)}>
          {further.length} more
        </button>
      )}
    </fieldset>
  );
}
