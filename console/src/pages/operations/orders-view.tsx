import { Button, Group, Select, Stack, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useLocation, useParams } from 'wouter';
import { call } from '../../api/client.ts';
import type { Task } from '../../api/types.ts';
import { useApi } from '../../api/use-api.ts';
import { ListPanel } from '../../components/list-panel.tsx';
import { formatMoney } from '../../components/money.tsx';
import { StatusMark } from '../../components/status-mark.tsx';
import { formatMoment } from '../../format.ts';
import { operationsTexts } from '../../texts/operations.ts';
import classes from './operations.module.css';
import { OrderFacts } from './order-facts.tsx';
import { OrderName, orderAddress } from './order-name.tsx';
import { useAdminPages } from './use-admin-pages.ts';

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
      <TextInput
        type="search"
        aria-label={texts.search}
        placeholder={texts.searchPlaceholder}
        leftSection={<IconSearch size={15} aria-hidden="true" />}
        value={wanted}
        onChange={(event) => setWanted(event.currentTarget.value)}
        flex={1}
      />
      <Button type="submit" variant="default">
        {texts.look}
      </Button>
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
  const orders = useAdminPages(
    ['GET /admin/v1/tasks', keyId, type, status],
    async (after, signal) => {
      if (keyId === '') return { items: [], has_more: false };
      const narrowed = { ...(status === null ? {} : { status }), ...(after === undefined ? {} : { after }) };
      return call('GET /admin/v1/tasks', { query: { key_id: keyId, type, limit: PAGE_SIZE, ...narrowed } }, { signal });
    },
    (order) => order.task_id,
  );
  return (
    <ListPanel
      pages={keys.error === null ? orders : { ...orders, error: keys.error }}
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
        {
          head: texts.heads.when,
          phone: 'note',
          cell: (order) => <span className="figures">{formatMoment(order.created_at)}</span>,
        },
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
