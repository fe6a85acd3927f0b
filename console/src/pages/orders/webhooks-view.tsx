import { type ReactNode, useState } from 'react';
import { perform } from '../../api/deeds.ts';
import { usePages } from '../../api/use-pages.ts';
import { Deliveries } from '../../components/deliveries.tsx';
import { ListPanel } from '../../components/list-panel.tsx';
import { orderAddress } from '../../components/orders/order-name.tsx';
import { Segments } from '../../components/segments.tsx';
import { webhookTexts } from '../../texts/webhooks.ts';

const STATUSES = { all: 'All', ...webhookTexts.statuses };
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
  const deliveries = usePages(
    'GET /admin/v1/webhooks/deliveries',
    { limit: 30, ...query },
    (delivery) => delivery.delivery_id,
  );
  const sendAgain = (id: string) =>
    perform(
      'POST /admin/v1/webhooks/deliveries/{delivery_id}/redeliver',
      { path: { delivery_id: id } },
      webhookTexts.again,
    );
  return (
    <ListPanel pages={deliveries} {...panel}>
      {(items) => (
        <Deliveries label={panel.title} deliveries={items} orderAddress={orderAddress} sendAgain={sendAgain} />
      )}
    </ListPanel>
  );
}
