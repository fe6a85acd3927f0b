import type { DataOf } from '../../api/operations.ts';
import { useApi, usePages } from '../../api/use-api.ts';
import { together } from '../../components/as-seen.tsx';
import { ListPanel } from '../../components/list-panel.tsx';
import { engineOf } from '../../components/orders/order-name.tsx';
import { UNKNOWN_KINDS } from '../../components/orders/unresolved.tsx';
import { Moment, Told } from '../../components/words.tsx';
import { formatMany, formatMoney } from '../../format.ts';
import { inWords } from '../../texts/in-words.ts';

type Order = DataOf<'GET /admin/v1/tasks/{task_id}'>;
type Request = DataOf<'GET /admin/v1/requests'>['items'][number];
type Delivery = DataOf<'GET /admin/v1/webhooks/deliveries'>['items'][number];
type Act = DataOf<'GET /admin/v1/audit'>['items'][number];

interface Event {
  readonly at: string;
  readonly what: string;
  readonly more: string;
}

const texts = {
  asked: (engine: string, said: string | null) =>
    said === null ? `${engine} was asked` : `${engine} was asked and said ${said}`,
  delivery: {
    delivered: (output: number, to: string) => `Output ${output} delivered to ${to}`,
    pending: (output: number, to: string) => `Output ${output} is being delivered to ${to}`,
    failed: (output: number, to: string) => `Output ${output} could not be delivered to ${to}`,
  },
  acts: {
    'task.ask': 'An operator had the upstream asked',
    'task.cancel': 'An operator canceled it',
    'task.give_up': 'An operator gave it up',
    'task.refund': 'An operator refunded it',
  },
} as const;
const AT_MOST = 100;

/** The events of an order, oldest first: requests, upstream, money, webhooks and operators' acts. */
export function OrderTimeLine({ order }: { readonly order: Order }) {
  const { task_id: id, key_id: keyId } = order;
  const requests = usePages(
    'GET /admin/v1/requests',
    { key_id: keyId, task_id: id, limit: AT_MOST },
    (entry) => entry.entry_id,
  );
  const deliveries = useApi('GET /admin/v1/webhooks/deliveries', { query: { task_id: id, limit: AT_MOST } });
  const acts = useApi('GET /admin/v1/audit', { query: { target: id, limit: AT_MOST } });
  const { data, error, dataUpdatedAt, refetch } = together(requests, deliveries, acts);
  const events = [
    ...ownEvents(order),
    ...(requests.items ?? []).map(sent),
    ...(deliveries.data?.items ?? []).flatMap(attempted),
    ...(acts.data?.items ?? []).map(done),
  ].sort((a, b) => (a.at < b.at ? -1 : 1));
  return (
    <ListPanel
      pages={{
        ...requests,
        items: data && events,
        idOf: ({ at, what, more }) => [at, what, more].join(),
        error,
        dataUpdatedAt,
        refetch,
      }}
      title="Time line"
      hint="Requests are kept for 7 days."
      empty=""
      columns={[
        { head: 'When', phone: 'note', cell: ({ at }) => <Moment at={at} /> },
        { head: 'What happened', phone: 'title', cell: ({ what, more }) => <Told more={more}>{what}</Told> },
      ]}
    />
  );
}

/** Returns the events in the order itself: upstreams, money, deliveries and findings. */
function ownEvents(order: Order): Event[] {
  const { status, standing } = order;
  const engine = engineOf(order);
  // A refund sets `charged` to 0; the event shows the original charge.
  const charged = formatMoney(order.refunded ?? order.charged ?? '0.00');
  const isEnded = status === 'succeeded' || status === 'failed' || status === 'canceled';
  const events: [at: string | null | undefined, what: string, more?: string | null][] = [
    [order.created_at, `Ordered; ${formatMoney(order.price)} held`],
    // Older versions stored no time; the order left this route before it was sent elsewhere.
    ...order.left_routes.map((left): (typeof events)[number] => [
      left.left_at ?? order.created_at,
      `Left ${left.engine}${left.model_id === undefined ? '' : ` for ${left.model_id}`}, which did not make it`,
      left.reason,
    ]),
    [order.refused_at, `${engine} refused it; it is sent again`],
    [order.started_at, `Sent to ${engine}`, dearerReasonOf(order)],
    [standing?.asked_at, texts.asked(engine, standing?.said ?? null)],
    [order.cancel_requested_at, 'To be canceled'],
    [order.completed_at, isEnded ? `${inWords(status)}; ${charged} charged` : '', errorOf(order)],
    ...order.deliveries.map(
      ({ output, state, destination, url, attempts, reason, delivered_at: at }): (typeof events)[number] => [
        at ?? order.completed_at,
        texts.delivery[state](output, destination ?? (url === null ? '' : new URL(url).host)),
        reason === null ? null : `${formatMany(attempts, 'attempt')}: ${reason}`,
      ],
    ),
    ...order.unresolved.map(({ kind, created_at: at, message }): (typeof events)[number] => [
      at,
      UNKNOWN_KINDS[kind],
      message,
    ]),
    ...order.resolved.flatMap(({ kind, created_at: from, resolved_at: at, resolution }): typeof events => [
      [from, UNKNOWN_KINDS[kind]],
      [at, 'Compared with the bill of the upstream', resolution],
    ]),
    [order.deleted_at, 'Deleted by its customer'],
  ];
  return events.flatMap(([at, what, more]) => (at == null ? [] : [{ at, what, more: more ?? '' }]));
}

/** Returns why the order is at an upstream that is dearer than its quote; null if it is not. */
function dearerReasonOf({ route }: Order): string | null {
  const { dearer } = route as { readonly dearer?: { readonly reason: string } };
  return dearer === undefined ? null : `At a dearer price, as its customer allows: ${dearer.reason}`;
}

function errorOf({ error }: Order): string {
  return (error as { readonly message?: string } | null)?.message ?? '';
}

function sent({ answered_at: at, method, path, status, code, request_id: id }: Request): Event {
  return {
    at,
    what: `${method} ${path}`,
    more: `${status === null ? 'left before the answer' : code === null ? String(status) : `${status} ${code}`}, ${id}`,
  };
}

function attempted({ type, attempts, url }: Delivery): Event[] {
  const { host } = new URL(url);
  return attempts.map(({ started_at: at, response_status: status, error }) => ({
    at,
    what: `Webhook ${type} to ${host}`,
    more: status === null ? (error ?? '') : String(status),
  }));
}

function done({ created_at: at, act, actor, actor_name: name }: Act): Event {
  const what = act in texts.acts ? texts.acts[act as keyof typeof texts.acts] : act;
  return { at, what, more: `by ${name ?? actor}` };
}
