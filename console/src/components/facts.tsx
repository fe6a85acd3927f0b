import type { ReactNode } from 'react';
import classes from './facts.module.css';

/** A property with its value; null = it has none. */
export type FactRow = readonly [name: string, value: ReactNode];

/** The properties of a thing, one a line, without those that have no value. */
export function Facts({ rows }: { readonly rows: readonly FactRow[] }) {
  return (
    <dl className={classes.facts}>
      {rows.map(
        ([name, value]) =>
          value !== null && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
