import type { TaskView as Task } from '@darkroom-service/contract';
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { CopyAction } from '../../components/copy-action.tsx';
import { Panel } from '../../components/panel.tsx';
import classes from '../../components/records.module.css';
import { StatusMark } from '../../components/status-mark.tsx';

/** The panel of one order: its id and status, why it failed, what else is to be said of it, and its facts. */
export function OrderPanel({
  id,
  status,
  error,
  facts,
  above,
  children,
}: {
  readonly id: string;
  readonly status: Task['status'];
  readonly error: { readonly code: string; readonly message: string } | null;
  /** Those that are null are left out. */
  readonly facts: readonly (readonly [name: string, value: ReactNode])[];
  /** What comes before the error. */
  readonly above?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <Panel
      title="One order"
      hint={
        <>
          <span className={classes.code}>{id}</span> <CopyAction value={id} />
        </>
      }
      aside={<StatusMark status={status} />}
    >
      {above}
      {error !== null && (
        <div className={classes.fault}>
          <Text size="sm">{error.message}</Text>
          <Text size="xs" c="dimmed" ff="monospace">
            {error.code}
          </Text>
        </div>
      )}
      {children}
      <dl className={classes.facts}>
        {facts.map(
          ([name, value]) =>
            value !== null && (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
    </Panel>
  );
}

/** `{ shop: "berlin" }` -> `shop: berlin`; null if there is nothing. */
export function pairsOf(pairs: Readonly<Record<string, unknown>>): string | null {
  const texts = Object.entries(pairs).map(([name, value]) => `${name}: ${value}`);
  return texts.length === 0 ? null : texts.join(', ');
}
