import { Group, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './panel.module.css';
import { Hint } from './words.tsx';

/** A panel with a heading. */
export function Panel({
  title,
  hint,
  aside,
  flush = false,
  children,
}: {
  readonly title: string;
  readonly hint?: ReactNode;
  /** Content at the end of the heading's line. */
  readonly aside?: ReactNode;
  /** Whether the content extends to the edges, as tables do. */
  readonly flush?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <section className={classes.panel} aria-label={title}>
      <Group justify="space-between" align="flex-start" gap="sm" className={classes.head ?? ''}>
        <div>
          <Title order={2} size="1.125rem">
            {title}
          </Title>
          {hint !== undefined && <Hint mt={2}>{hint}</Hint>}
        </div>
        {aside}
      </Group>
      <div className={flush ? classes.flush : classes.body}>{children}</div>
    </section>
  );
}

/** A figure with its label. */
export function Figure({
  label,
  value,
  hint,
}: {
  readonly label: string;
  readonly value: ReactNode;
  readonly hint?: ReactNode;
}) {
  return (
    <div className={classes.figure}>
      <dt className={classes.figureLabel}>{label}</dt>
      <dd className={`${classes.figureValue} figures`}>{value}</dd>
      {hint !== undefined && <dd className={classes.figureHint}>{hint}</dd>}
    </div>
  );
}

export function Figures({ children }: { readonly children: ReactNode }) {
  return <dl className={classes.figures}>{children}</dl>;
}
