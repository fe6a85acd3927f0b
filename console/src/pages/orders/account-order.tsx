import type { TaskView as Task } from '@darkroom-service/contract/task';
import { Skeleton, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { nearUrl } from '../../api/service-url.ts';
import { useApi } from '../../api/use-api.ts';
import { SmallButton } from '../../components/buttons.ts';
import { CopyAction } from '../../components/copy-action.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { formatMoney } from '../../components/money.tsx';
import { Panel } from '../../components/panel.tsx';
import classes from '../../components/records.module.css';
import { StatusMark } from '../../components/status-mark.tsx';
import { promptOf } from '../../components/task-facts.ts';
import { formatMoment } from '../../format.ts';
import { orderTexts } from '../../texts/operator-orders.ts';
import own from './account-orders.module.css';

const texts = orderTexts.account;
/** Until it is final. */
const READ_EVERY_MS = 5_000;

/** One order of somebody in the account, to look at: nothing of it can be changed here. */
export function AccountOrder({ taskId }: { readonly taskId: string }) {
  const order = useApi(
    'GET /v1/account/tasks/{task_id}',
    { path: { task_id: taskId } },
    { every: (data) => (data === undefined || data.task.completed_at !== null ? false : READ_EVERY_MS) },
  );
  if (order.error !== null) return <ErrorNote title={orderTexts.missing} error={order.error} />;
  if (order.data === undefined) return <Skeleton h={320} radius={14} aria-hidden="true" />;
  const { task, ordered_by: by } = order.data;
  return (
    <Stack align="flex-start">
      <SmallButton component={Link} href="/orders/account">
        All orders of the account
      </SmallButton>
      <Panel
        title={orderTexts.one}
        hint={
          <>
            <span className={classes.code}>{task.task_id}</span> <CopyAction value={task.task_id} />
          </>
        }
        aside={<StatusMark status={task.status} />}
      >
        {task.error !== null && (
          <div className={classes.fault}>
            <Text size="sm">{task.error.message}</Text>
            <Text size="xs" c="dimmed" ff="monospace">
              {task.error.code}
            </Text>
          </div>
        )}
        <Outputs task={task} />
        <dl className={classes.facts}>
          {factsOf(task, by.name).map(([name, value]) => (
            <div key={name}>
              <dt>{texts.facts[name]}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </Panel>
    </Stack>
  );
}

function Outputs({ task }: { readonly task: Task }) {
  if (task.outputs.length === 0) return null;
  return (
    <div className={own.outputs}>
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

function factsOf(task: Task, who: string): [keyof typeof texts.facts, ReactNode][] {
  const { prompt, model_id: _, ...input } = task.input;
  const given = Object.entries(input).filter(([, value]) => typeof value === 'string' || typeof value === 'number');
  const metadata = Object.entries(task.metadata).map(([name, value]) => `${name}: ${value}`);
  const facts: [keyof typeof texts.facts, ReactNode][] = [
    ['prompt', typeof prompt === 'string' ? prompt : null],
    ['by', who],
    ['model', task.action === null ? task.model_id : `${task.model_id}, ${task.action}`],
    ['input', given.length === 0 ? null : given.map(([name, value]) => `${name}: ${value}`).join(', ')],
    ['cost', `${formatMoney(task.cost.amount)}, ${texts.costs[task.cost.state]}`],
    ['customer', task.end_user],
    ['metadata', metadata.length === 0 ? null : metadata.join(', ')],
    ['ordered', <Moment key="ordered" at={task.created_at} />],
    ['ended', task.completed_at === null ? null : <Moment key="ended" at={task.completed_at} />],
  ];
  return facts.filter(([, value]) => value !== null);
}

function Moment({ at }: { readonly at: string }) {
  return <span className="figures">{formatMoment(at)}</span>;
}
