import { Skeleton, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { DataOf } from '../../api/operations.ts';
import type { Task } from '../../api/types.ts';
import { useApi } from '../../api/use-api.ts';
import { CopyAction } from '../../components/copy-action.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { formatMoney } from '../../components/money.tsx';
import { Panel } from '../../components/panel.tsx';
import { StatusMark } from '../../components/status-mark.tsx';
import { formatMoment } from '../../format.ts';
import { operationsTexts } from '../../texts/operations.ts';
import classes from './operations.module.css';

type Order = DataOf<'GET /admin/v1/tasks/{task_id}'>;

const texts = operationsTexts.orders;
const FINAL = ['succeeded', 'failed', 'canceled'];

/** The internal state of an order: step, worker, route and upstream job. */
export function OrderFacts({ taskId }: { readonly taskId: string }) {
  const order = useApi('GET /admin/v1/tasks/{task_id}', { path: { task_id: taskId } });
  if (order.error !== null) return <ErrorNote title={texts.missing} error={order.error} />;
  if (order.data === undefined) return <Skeleton h={320} radius={14} aria-hidden="true" />;
  const { data } = order;
  const error = data.error as { readonly code: string; readonly message: string } | null;
  return (
    <Panel
      title={texts.one}
      hint={
        <>
          <span className={classes.code}>{data.task_id}</span> <CopyAction value={data.task_id} />
        </>
      }
      aside={<StatusMark status={data.status as Task['status']} />}
    >
      {error !== null && (
        <div className={classes.fault}>
          <Text size="sm">{error.message}</Text>
          <Text size="xs" c="dimmed" ff="monospace">
            {error.code}
          </Text>
        </div>
      )}
      <dl className={classes.facts}>
        {factsOf(data).map(([name, value]) => (
          <div key={name}>
            <dt>{texts.facts[name]}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

function factsOf(order: Order): [keyof typeof texts.facts, ReactNode][] {
  const moment = (iso: string | null) => iso && <span className="figures">{formatMoment(iso)}</span>;
  const code = (value: string | null) => value && <span className={classes.code}>{value}</span>;
  const { engine, model } = order.route as { readonly engine?: string; readonly model?: string | null };
  const isOpen = !FINAL.includes(order.status);
  const facts: [keyof typeof texts.facts, ReactNode][] = [
    ['key', code(order.key_id)],
    ['account', order.account_id],
    ['mode', texts.modes[order.mode]],
    ['model', order.action === null ? order.model_id : `${order.model_id}, ${order.action}`],
    ['route', model == null ? (engine ?? null) : `${engine} ${model}`],
    ['step', isOpen ? `${order.step}, ${order.progress} %` : null],
    ['worker', code(order.worker)],
    ['attempts', order.attempts > 0 ? String(order.attempts) : null],
    ['price', formatMoney(order.price)],
    ['charged', order.charged === null ? null : formatMoney(order.charged)],
    ['refunded', order.refunded === null ? null : formatMoney(order.refunded)],
    ['created', moment(order.created_at)],
    ['started', moment(order.started_at)],
    ['completed', moment(order.completed_at)],
    ['next', isOpen ? moment(order.next_at) : null],
    ['deadline', isOpen ? moment(order.deadline_at) : null],
    ['deleted', moment(order.deleted_at)],
    ['operation', order.operation === null ? null : code(JSON.stringify(order.operation))],
  ];
  return facts.filter(([, value]) => value !== null);
}
