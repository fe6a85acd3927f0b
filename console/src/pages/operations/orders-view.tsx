import type { TaskView as Task } from '@darkroom-service/contract/task';
import { Group, Select, Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useLocation, useParams } from 'wouter';
import { useApi } from '../../api/use-api.ts';
import { usePages } from '../../api/use-pages.ts';
import { PlainButton } from '../../components/buttons.ts';
import { ListPanel } from '../../components/list-panel.tsx';
import { formatMoney } from '../../components/money.tsx';
import { SearchInput } from '../../components/search-input.tsx';
import { StatusMark } from '../../components/status-mark.tsx';
import { Moment } from '../../components/two-lines.tsx';
import { operationsTexts } from '../../texts/operations.ts';
import classes from './operations.module.css';
import { OrderFacts } from './order-facts.tsx';
import { OrderName, orderAddress } from './order-name.tsx';

const texts = operationsTexts.orders;
const PAGE_SIZE = 30;

/** Looks up an order by id, and lists the orders of a key: internal state only, without prompts. */
export function OrdersView() {
  const { item } = useParams<{ item?: string }>();
  return (
    <Stack>
      <OrderSearch key={item} found={item ?? ''} />
      {item === undefined ? <OrdersOfKey /> : <OrderFacts taskId={item} />}
    </Stack>
  );
}

function OrderSearch({ found }: { readonly found: string }) {
  const [, navigate] = useLocation();
  const [wanted, setWanted] = useState(found);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (wanted.trim() !== '') navigate(orderAddress(wanted.trim()));
  };
  return (
    <form onSubmit={submit} className={classes.search}>
      <SearchInput
        label={texts.search}
        placeholder={texts.searchPlaceholder}
        value={wanted}
        onChange={setWanted}
        flex={1}
      />
      <PlainButton type="submit">{texts.look}</PlainButton>
    </form>
  );
}

function OrdersOfKey() {
  const keys = useApi('GET /admin/v1/keys', { query: {} });
  const ordering = (keys.data?.items ?? []).filter(({ mode }) => mode !== 'admin').toReversed();
  const [wish, setKey] = useState<string | null>(null);
  const [type, setType] = useState<Task['type']>('image');
  const [status, setStatus] = useState<Task['status'] | null>(null);
  const keyId = wish ?? ordering[0]?.key_id ?? '';
  const orders = usePages(
    'GET /admin/v1/tasks',
    { key_id: keyId, type, limit: PAGE_SIZE, ...(status === null ? {} : { status }) },
    (order) => order.task_id,
    { enabled: keyId !== '' },
  );
  const isWithoutKey = keys.data !== undefined && ordering.length === 0;
  return (
    <ListPanel
      pages={{ ...orders, error: keys.error ?? orders.error, ...(isWithoutKey ? { items: [] } : {}) }}
      title={texts.ofKey}
      hint={texts.hint}
      empty={texts.none}
      aside={
        <Group gap="sm">
          <Select
            aria-label={texts.key}
            searchable
            allowDeselect={false}
            w={230}
            value={keyId === '' ? null : keyId}
            onChange={setKey}
            data={ordering.map((key) => ({ value: key.key_id, label: `${key.name} (${texts.modes[key.mode]})` }))}
          />
          <Select
            aria-label={texts.type}
            allowDeselect={false}
            w={120}
            value={type}
            onChange={(value) => setType(value as Task['type'])}
            data={Object.entries(texts.types).map(([value, label]) => ({ value, label }))}
          />
          <Select
            aria-label={texts.status}
            placeholder={texts.anyStatus}
            clearable
            w={150}
            value={status}
            onChange={(value) => setStatus(value as Task['status'] | null)}
            data={Object.entries(texts.statuses).map(([value, label]) => ({ value, label }))}
          />
        </Group>
      }
      rowKey={(order) => order.task_id}
      columns={[
        { head: texts.heads.when, phone: 'note', cell: (order) => <Moment at={order.created_at} /> },
        { head: texts.heads.order, phone: 'title', cell: (order) => <OrderName order={order} /> },
        {
          head: texts.heads.status,
          phone: 'aside',
          cell: (order) => <StatusMark status={order.status as Task['status']} />,
        },
        { head: texts.heads.price, phone: 'note', numeric: true, cell: (order) => formatMoney(order.price) },
      ]}
    />
  );
}
