import { useState } from 'react';
import { DELIVERY_STATUSES, Deliveries } from '../../components/deliveries.tsx';
import { Segments } from '../../components/inputs.tsx';

const STATUSES = { all: 'All', ...DELIVERY_STATUSES };

/** The webhook deliveries of every account, with the result of each attempt. */
export function WebhooksView() {
  const [status, setStatus] = useState<keyof typeof STATUSES>('all');
  return (
    <Deliveries
      of="service"
      title="Webhook deliveries"
      hint="Webhook deliveries and the result of each attempt."
      empty="No webhook has been sent."
      query={{ limit: 30, ...(status === 'all' ? {} : { status }) }}
      aside={<Segments label="Status" words={STATUSES} value={status} onChange={setStatus} />}
    />
  );
}
