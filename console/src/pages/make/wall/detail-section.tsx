import type { ReactNode } from 'react';
import classes from './detail.module.css';

/** One heading of a task's details. */
export function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section>
      <h3 className={classes.heading}>{title}</h3>
      {children}
    </section>
  );
}
