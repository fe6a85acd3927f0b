import { type ReactNode, useState } from 'react';
import { perform } from '../../api/deeds.ts';
import { useMay } from '../../api/may.ts';
import { usePages } from '../../api/use-pages.ts';
import { DELIVERY_STATUSES, deliveryColumns, SEND_AGAIN, sendingAgain } from '../../components/deliveries.tsx';
import { ListPanel } from '../../components/list-panel.tsx';
import { orderAddress } from '../../components/orders/order-name.tsx';
import { Segments } from '../../components/segments.tsx';

const REDELIVER = 'POST /admin/v1/webhooks/deliveries/{delivery_id}/redeliver';
const STATUSES = { all: 'All', ...DELIVERY_STATUSES };
type Status = keyof typeof STATUSES;

/** The webhooks of every account, and how each attempt went. */
export function WebhooksView() {
  const [status, setStatus] = useState<Status>('all');
  return (
    <DeliveriesOf
      title="Webhook deliveries"
      hint="Webhook deliveries and the result of each attempt."
      empty="No webhook has been sent."
      query={status === 'all' ? {} : { status }}
      aside={<Segments label="Status" words={STATUSES} value={status} onChange={setStatus} />}
    />
  );
}

/** Some webhooks. */
export function DeliveriesOf({
  query,
  ...panel
}: {
  readonly query: { readonly task_id?: string; readonly status?: Exclude<Status, 'all'> };
  readonly title: string;
  readonly empty: string;
  readonly hint?: string;
  readonly aside?: ReactNode;
}) {
  const may = useMay();
  const deliveries = usePages(
    'GET /admin/v1/webhooks/deliveries',
    { limit: 30, ...query },
    (delivery) => delivery.delivery_id,
  );
  const sendAgain = (id: string) => perform(REDELIVER, { path: { delivery_id: id } }, SEND_AGAIN);
  return (
    <ListPanel
      pages={deliveries}
      {...panel}
      rowKey={(delivery) => delivery.delivery_id}
      columns={deliveryColumns(orderAddress)}
      deeds={[may(REDELIVER) && sendingAgain(sendAgain)]}
    />
  );
}
