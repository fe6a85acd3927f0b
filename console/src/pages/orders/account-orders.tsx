import type { TaskView as Task } from '@darkroom-service/contract';
import { Group, Skeleton, Stack } from '@mantine/core';
import { useCallback, useState } from 'react';
import { Link, useParams } from 'wouter';
import type { DataOf } from '../../api/operations.ts';
import { nearUrl } from '../../api/service-url.ts';
import { useSession } from '../../api/session.ts';
import { useApi, usePages } from '../../api/use-api.ts';
import { AsSeen } from '../../components/as-seen.tsx';
import { SmallButton } from '../../components/buttons.ts';
import type { FactRow } from '../../components/facts.tsx';
import { Segments } from '../../components/inputs.tsx';
import { ListPanel } from '../../components/list-panel.tsx';
import { searchWords } from '../../components/orders/search-words.ts';
import { SearchField } from '../../components/search-input.tsx';
import { promptOf } from '../../components/task-facts.ts';
import { TaskState } from '../../components/task-state.tsx';
import { Moment, Small } from '../../components/words.tsx';
import { formatMoment, formatMoney } from '../../format.ts';
import { orderTexts } from '../../texts/orders.ts';
import classes from './account-orders.module.css';
import { modelFacts, OrderPanel, pairsOf } from './order-panel.tsx';

type AccountTask = DataOf<'GET /v1/account/tasks'>['items'][number];

const TYPES = { all: 'All', image: 'Images', video: 'Videos' };

/** The orders of all members of the account, read-only, and a single one of them. */
export function AccountOrders() {
  const { taskId } = useParams<{ taskId?: string }>();
  return taskId === undefined ? <List /> : <AccountOrder key={taskId} taskId={taskId} />;
}

function List() {
  const { mode } = useSession();
  const [type, setType] = useState<keyof typeof TYPES>('all');
  const [search, setSearch] = useState<string | null>(null);
  const query = { ...(type === 'all' ? {} : { type }), ...(search === null ? {} : { search }) };
  const orders = usePages('GET /v1/account/tasks', { ...query, limit: 24 }, ({ task }) => task.task_id);
  return (
    <ListPanel
      pages={orders}
      title="Orders of the account"
      {...searchWords(
        orders.data?.pages,
        search ?? '',
        `${orderTexts.ofMode[mode]} of everybody, newest first. Press one to see it whole.`,
      )}
      aside={
        <Group gap="sm" maw="100%">
          <Segments label="Kind of orders" words={TYPES} value={type} onChange={setType} />
          <SearchField
            label="Words, model, who, customer, order"
            onSearch={useCallback((text) => setSearch(text), [])}
          />
        </Group>
      }
      empty={search === null ? `Nobody has placed a ${mode} order yet.` : `No ${mode} order matches.`}
    >
      {(items) => (
        <ul className={classes.orders}>
          {items.map((item) => (
            <Order key={item.task.task_id} item={item} />
          ))}
        </ul>
      )}
    </ListPanel>
  );
}

function Order({ item: { task, ordered_by: by } }: { readonly item: AccountTask }) {
  const thumbnail = task.outputs[0]?.thumbnail_url ?? null;
  const name = promptOf(task) || task.task_id;
  return (
    <li>
      <Link href={`/orders/account/${task.task_id}`} className={classes.order ?? ''}>
        <span className={classes.picture}>
          {thumbnail === null ? (
            <TaskState task={task} isWorded />
          ) : (
            <img src={nearUrl(thumbnail)} alt="" loading="lazy" />
          )}
        </span>
        <span className={classes.prompt}>{name}</span>
      </Link>
      <Small>
        {by.name} · {formatMoment(task.created_at)}
      </Small>
    </li>
  );
}

const COSTS = { held: 'held', charged: 'charged', released: 'released', refunded: 'given back' };
/** Polling interval in milliseconds, until the order is final. */
const READ_EVERY_MS = 5_000;

/** An order of a member of the account, read-only. */
function AccountOrder({ taskId }: { readonly taskId: string }) {
  const order = useApi(
    'GET /v1/account/tasks/{task_id}',
    { path: { task_id: taskId } },
    { every: (data) => (data === undefined || data.task.completed_at !== null ? false : READ_EVERY_MS) },
  );
  return (
    <Stack align="flex-start">
      <SmallButton component={Link} href="/orders/account">
        All orders of the account
      </SmallButton>
      <AsSeen of={order} title="Order not found" placeholder={<Skeleton h={320} radius={14} aria-hidden="true" />}>
        {({ task, ordered_by: by }) => (
          <OrderPanel id={task.task_id} status={task.status} error={task.error} facts={factsOf(task, by.name)}>
            <Outputs task={task} />
          </OrderPanel>
        )}
      </AsSeen>
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

function factsOf(task: Task, who: string): FactRow[] {
  const { prompt, model_id: _, ...input } = task.input;
  const given = Object.entries(input).filter(([, value]) => typeof value === 'string' || typeof value === 'number');
  return [
    ['Prompt', typeof prompt === 'string' ? prompt : null],
    ['Ordered by', who],
    ['Model', task.action === null ? task.model_id : `${task.model_id}, ${task.action}`],
    ...modelFacts(task),
    ['Settings', pairsOf(Object.fromEntries(given))],
    ['Cost', `${formatMoney(task.cost.amount)}, ${COSTS[task.cost.state]}`],
    ['Dearer upstream', task.cost.dearer?.reason ?? null],
    ['Customer', task.end_user],
    ['Metadata', pairsOf(task.metadata)],
    ['Ordered', <Moment key="ordered" at={task.created_at} />],
    ['Ended', task.completed_at === null ? null : <Moment key="ended" at={task.completed_at} />],
  ];
}
