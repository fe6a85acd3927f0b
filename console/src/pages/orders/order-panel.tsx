import type { TaskView as Task } from '@darkroom-service/contract';
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { CopyAction } from '../../components/copy-action.tsx';
import { type FactRow, Facts } from '../../components/facts.tsx';
import { Panel } from '../../components/panel.tsx';
import classes from '../../components/records.module.css';
import { StatusMark } from '../../components/status-mark.tsx';
import { inReadersForm } from '../../format.ts';

/** The panel of an order: its id and status, its error, further content, and its properties. */
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
  /** Properties of the order; null ones are left out. */
  readonly facts: readonly FactRow[];
  /** Content before the error. */
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
          <Text size="sm">{inReadersForm(error.message)}</Text>
          <Text size="xs" c="dimmed" ff="monospace">
            {error.code}
          </Text>
        </div>
      )}
      {children}
      <Facts rows={facts} />
    </Panel>
  );
}

/** Formats `{ shop: "berlin" }` as `shop: berlin`; null if there are no pairs. */
export function pairsOf(pairs: Readonly<Record<string, unknown>>): string | null {
  const texts = Object.entries(pairs).map(([name, value]) => `${name}: ${value}`);
  return texts.length === 0 ? null : texts.join(', ');
}

/** Returns the properties of an order that named several models: the first, and those that did not make it. */
export function modelFacts({
  requested_model_id: requested,
  tried_models: tried = [],
}: Pick<Task, 'requested_model_id' | 'tried_models'>): FactRow[] {
  const left = tried.map(({ model_id: id, reason }) => <div key={id}>{`${id}: ${reason}`}</div>);
  return [
    ['Requested model', requested ?? null],
    ['Tried models', left.length === 0 ? null : left],
  ];
}
