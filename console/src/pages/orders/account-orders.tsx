import { Group } from '@mantine/core';
import { useCallback, useState } from 'react';
import { Link, useParams } from 'wouter';
import type { DataOf } from '../../api/operations.ts';
import { nearUrl } from '../../api/service-url.ts';
import { usePages } from '../../api/use-pages.ts';
import { ListPanel } from '../../components/list-panel.tsx';
import { searchWords } from '../../components/orders/search-words.ts';
import { SearchField } from '../../components/search-input.tsx';
import { Segments } from '../../components/segments.tsx';
import { promptOf } from '../../components/task-facts.ts';
import { TaskState } from '../../components/task-state.tsx';
import { Small } from '../../components/words.ts';
import { formatMoment } from '../../format.ts';
import { AccountOrder } from './account-order.tsx';
import classes from './account-orders.module.css';

type AccountTask = DataOf<'GET /v1/account/tasks'>['items'][number];

const TYPES = { all: 'All', image: 'Images', video: 'Videos' };

/** The orders of everybody in the account, to look at, and one of them. */
export function AccountOrders() {
  const { taskId } = useParams<{ taskId?: string }>();
  return taskId === undefined ? <List /> : <AccountOrder key={taskId} taskId={taskId} />;
}

function List() {
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
        'Of everybody, newest first, in the mode in use. Press one to see it whole.',
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
      empty={search === null ? 'Nobody has ordered yet.' : 'No order matches.'}
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
