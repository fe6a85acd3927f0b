import type { TaskView as Task } from '@darkroom-service/contract';
import { Group, Skeleton, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useParams } from 'wouter';
import type { DataOf } from '../../api/operations.ts';
import { useApi } from '../../api/use-api.ts';
import { AsSeen } from '../../components/as-seen.tsx';
import { CopyAction } from '../../components/copy-action.tsx';
import { Deliveries } from '../../components/deliveries.tsx';
import { ExampleMark } from '../../components/example-mark.tsx';
import type { FactRow } from '../../components/facts.tsx';
import { OrderDeeds } from '../../components/orders/order-deeds.tsx';
import { ResolveDialog, Unresolved, UnresolvedDeeds } from '../../components/orders/unresolved.tsx';
import classes from '../../components/records.module.css';
import { formatMoment, formatMoney, inReadersForm } from '../../format.ts';
import { inWords } from '../../texts/in-words.ts';
import { modelFacts, OrderPanel, pairsOf } from './order-panel.tsx';
import { OrderTimeLine } from './order-time-line.tsx';

type Order = DataOf<'GET /admin/v1/tasks/{task_id}'>;

/** Polling interval in milliseconds: the sentence contains ages. */
const READ_EVERY_MS = 10_000;
const FINAL = ['succeeded', 'failed', 'canceled'];

/** The page of an order: the reason for its delay and the remedies, then its owner, its events, and its webhooks. */
export function OrderFacts() {
  const { taskId = '' } = useParams<{ taskId: string }>();
  return <OrderOf key={taskId} taskId={taskId} />;
}

function OrderOf({ taskId }: { readonly taskId: string }) {
  const [asked, setAsked] = useState<readonly string[]>([]);
  const order = useApi(
    'GET /admin/v1/tasks/{task_id}',
    { path: { task_id: taskId } },
    { every: (data) => (data?.standing == null ? false : READ_EVERY_MS) },
  );
  return (
    <Stack>
      <AsSeen of={order} title="Order not found" placeholder={<Skeleton h={320} radius={14} aria-hidden="true" />}>
        {(data) => <Shown order={data} onResolve={setAsked} />}
      </AsSeen>
      <ResolveDialog ids={asked} onClose={() => setAsked([])} />
    </Stack>
  );
}

function Shown({
  order,
  onResolve,
}: {
  readonly order: Order;
  readonly onResolve: Parameters<typeof UnresolvedDeeds>[0]['onResolve'];
}) {
  return (
    <>
      <OrderPanel
        id={order.task_id}
        status={order.status as Task['status']}
        error={order.error as { readonly code: string; readonly message: string } | null}
        facts={factsOf(order)}
        above={
          order.standing !== null && (
            <div className={classes.standing}>
              <Text>{inReadersForm(order.standing.sentence)}</Text>
              <OrderDeeds order={order} />
            </div>
          )
        }
      >
        {order.unresolved.length > 0 && (
          <div className={classes.standing}>
            <div>
              <Unresolved order={order} />
            </div>
            <UnresolvedDeeds order={order} onResolve={onResolve} />
          </div>
        )}
        <OrderExample order={order} />
      </OrderPanel>
      <OrderTimeLine order={order} />
      <Deliveries
        of="service"
        title="Its webhooks"
        query={{ limit: 30, task_id: order.task_id }}
        empty="No webhook was sent for it."
      />
    </>
  );
}

/** The route of an order, as far as it is shown. */
interface OperatedRoute {
  readonly engine?: string;
  readonly model?: string | null;
  readonly dearer?: { readonly reason: string };
}

function factsOf(order: Order): FactRow[] {
  const moment = (iso: string | null) => iso && <span className="figures">{formatMoment(iso)}</span>;
  const code = (value: string | null) => value && <span className={classes.code}>{value}</span>;
  const money = (amount: string | null) => amount && formatMoney(amount);
  const named = (name: string, id: string) => (
    <>
      {name} <CopyAction value={id} label={`Copy ${id}`} />
    </>
  );
  const { engine = null, model, dearer } = order.route as OperatedRoute;
  const isOpen = !FINAL.includes(order.status);
  return [
    ['Account', named(order.account_name, order.account_id)],
    ['Key', named(order.key_name, order.key_id)],
    ['Customer', code(order.end_user)],
    ['Metadata', code(pairsOf(order.metadata))],
    ['Mode', inWords(order.mode)],
    ['Model', order.action === null ? order.model_id : `${order.model_id}, ${order.action}`],
    ...modelFacts(order),
    ['Upstream', model == null ? engine : `${engine} ${model}`],
    ['Step', isOpen ? `${inWords(order.step)}, ${order.progress} %` : null],
    ['Worker', code(order.worker)],
    ['Retries', order.attempts > 0 ? String(order.attempts) : null],
    ['Dearer upstream', dearer?.reason ?? null],
    ['Price', formatMoney(order.price)],
    ['Charged', money(order.charged)],
    ['Refunded', money(order.refunded)],
    // While a worker has it, this is the end of its lease, long after the next check.
    ['Next check', isOpen && order.worker === null ? moment(order.next_at) : null],
    ['Deadline', isOpen ? moment(order.deadline_at) : null],
    ['Id at the upstream', code(order.operation == null ? null : pairsOf(leavesOf(order.operation)))],
  ];
}

/** Returns the values within an object by their names: `{ handle: { requestId: 'a' } }` -> `{ requestId: 'a' }`. */
function leavesOf(value: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, held]): (readonly [string, unknown])[] =>
      typeof held === 'object' && held !== null ? Object.entries(leavesOf(held)) : held === null ? [] : [[name, held]],
    ),
  );
}

/** Shows and changes whether an operator's own order is an example of its model. */
function OrderExample({ order }: { readonly order: Order }) {
  const { task_id: taskId, account_id: accountId } = order;
  const canBe =
    order.status === 'succeeded' && order.mode === 'live' && order.action === null && order.end_user === null;
  const keys = useApi('GET /admin/v1/keys', { query: {} }, { enabled: canBe });
  const examples = useApi('GET /admin/v1/examples', { query: { task_id: taskId } }, { enabled: canBe });
  const isOwn = keys.data?.items.some(
    (key) => key.mode === 'admin' && key.account_id === accountId && key.revoked_at === null,
  );
  if (isOwn !== true || examples.data === undefined) return null;
  const isExample = examples.data.items.length > 0;
  // Keyed: a message about a lost answer does not apply to data that was read since.
  return (
    <Group gap="sm" mb="md">
      <ExampleMark key={String(isExample)} taskId={taskId} isExample={isExample} />
      {isExample && <Text size="sm">{`Everybody sees it on the page of ${order.model_id}.`}</Text>}
    </Group>
  );
}
