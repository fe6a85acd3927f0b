import type { TaskView as Task } from '@darkroom-service/contract';
import { Skeleton, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { nearUrl } from '../../api/service-url.ts';
import { useApi } from '../../api/use-api.ts';
import { SmallButton } from '../../components/buttons.ts';
import { ErrorNote } from '../../components/error-note.tsx';
import { formatMoney } from '../../components/money.tsx';
import { promptOf } from '../../components/task-facts.ts';
import { Moment } from '../../components/two-lines.tsx';
import classes from './account-orders.module.css';
import { OrderPanel, pairsOf } from './order-panel.tsx';

const COSTS = { held: 'held', charged: 'charged', released: 'released', refunded: 'given back' };
/** Until it is final. */
const READ_EVERY_MS = 5_000;

/** One order of somebody in the account, to look at: nothing of it can be changed here. */
export function AccountOrder({ taskId }: { readonly taskId: string }) {
  const order = useApi(
    'GET /v1/account/tasks/{task_id}',
    { path: { task_id: taskId } },
    { every: (data) => (data === undefined || data.task.completed_at !== null ? false : READ_EVERY_MS) },
  );
  if (order.error !== null) return <ErrorNote title="Order not found" error={order.error} />;
  if (order.data === undefined) return <Skeleton h={320} radius={14} aria-hidden="true" />;
  const { task, ordered_by: by } = order.data;
  return (
    <Stack align="flex-start">
      <SmallButton component={Link} href="/orders/account">
        All orders of the account
      </SmallButton>
      <OrderPanel id={task.task_id} status={task.status} error={task.error} facts={factsOf(task, by.name)}>
        <Outputs task={task} />
      </OrderPanel>
    </Stack>
  );
}

function Outputs({ task }: { readonly task: Task }) {
  if (task.outputs.length === 0) return null;
  return (
    <div className={classes.outputs}>
      {task.outputs.map(({ url, thumbnail_url: thumbnail }) =>
        task.type === 'video' ? (
          <video
            key={url}
            src={nearUrl(url)}
            controls
            playsInline
            aria-label={promptOf(task)}
            {...(thumbnail === null ? {} : { poster: nearUrl(thumbnail) })}
          />
        ) : (
          <a key={url} href={nearUrl(url)} target="_blank" rel="noreferrer">
            <img src={nearUrl(url)} alt={promptOf(task)} />
          </a>
        ),
      )}
    </div>
  );
}

function factsOf(task: Task, who: string): [name: string, value: ReactNode][] {
  const { prompt, model_id: _, ...input } = task.input;
  const given = Object.entries(input).filter(([, value]) => typeof value === 'string' || typeof value === 'number');
  return [
    ['Prompt', typeof prompt === 'string' ? prompt : null],
    ['Ordered by', who],
    ['Model', task.action === null ? task.model_id : `${task.model_id}, ${task.action}`],
    ['Settings', pairsOf(Object.fromEntries(given))],
    ['Cost', `${formatMoney(task.cost.amount)}, ${COSTS[task.cost.state]}`],
    ['Customer', task.end_user],
    ['Metadata', pairsOf(task.metadata)],
    ['Ordered', <Moment key="ordered" at={task.created_at} />],
    ['Ended', task.completed_at === null ? null : <Moment key="ended" at={task.completed_at} />],
  ];
}
