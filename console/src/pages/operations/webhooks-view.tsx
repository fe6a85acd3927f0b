import { SegmentedControl, Skeleton } from '@mantine/core';
import { IconWebhook } from '@tabler/icons-react';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { perform } from '../../api/deeds.ts';
import { queryClient } from '../../api/use-api.ts';
import { Deliveries } from '../../components/deliveries.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Panel } from '../../components/panel.tsx';
import { operationsTexts } from '../../texts/operations.ts';
import { webhookTexts } from '../../texts/webhooks.ts';
import { MoreButton } from './more-button.tsx';
import { orderAddress } from './orders-view.tsx';
import { useAdminPages } from './use-admin-pages.ts';

type Status = keyof typeof texts.statuses;

const texts = operationsTexts.webhooks;
const PAGE_SIZE = 30;
const NAME = 'deliveries';

/** The webhooks of every account, and how each attempt went. */
export function WebhooksView() {
  const [status, setStatus] = useState<Status>('all');
  const deliveries = useAdminPages(
    [NAME, status],
    (after, signal) =>
      call(
        'GET /admin/v1/webhooks/deliveries',
        {
          query: {
            limit: PAGE_SIZE,
            ...(after === undefined ? {} : { after }),
            ...(status === 'all' ? {} : { status }),
          },
        },
        { signal },
      ),
    (delivery) => delivery.delivery_id,
  );
  const filter = (
    <SegmentedControl
      aria-label={texts.status}
      value={status}
      onChange={(value) => setStatus(value as Status)}
      data={Object.entries(texts.statuses).map(([value, label]) => ({ value, label }))}
    />
  );
  return (
    <Panel title={operationsTexts.views.webhooks} hint={texts.hint} aside={filter} flush>
      {deliveries.error !== null ? (
        <ErrorNote error={deliveries.error} onRetry={() => void deliveries.refetch()} />
      ) : deliveries.items === undefined ? (
        <Skeleton h={200} m="md" w="auto" aria-hidden="true" />
      ) : deliveries.items.length === 0 ? (
        <EmptyState
          icon={<IconWebhook size={44} stroke={1.2} color="var(--accent)" aria-hidden="true" />}
          title={texts.empty}
          text={texts.emptyText}
        />
      ) : (
        <Deliveries
          label={operationsTexts.views.webhooks}
          deliveries={deliveries.items}
          orderAddress={orderAddress}
          sendAgain={async (id) => {
            const path = { delivery_id: id };
            await perform('POST /admin/v1/webhooks/deliveries/{delivery_id}/redeliver', { path }, webhookTexts.again);
            await queryClient.invalidateQueries({ queryKey: [NAME] });
          }}
        />
      )}
      <MoreButton pages={deliveries} />
    </Panel>
  );
}
