import { Button, SegmentedControl, Skeleton, Text } from '@mantine/core';
import { IconWebhook } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call, type DataOf } from '../../api/client.ts';
import { queryClient } from '../../api/use-api.ts';
import { DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Panel } from '../../components/panel.tsx';
import { Mark } from '../../components/status-mark.tsx';
import { formatMoment } from '../../format.ts';
import { operationsTexts } from '../../texts/operations.ts';
import { MoreButton } from './more-button.tsx';
import classes from './operations.module.css';
import { useAdminPages } from './use-admin-pages.ts';

type Delivery = DataOf<'GET /admin/v1/webhooks/deliveries'>['items'][number];
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
  const again = useMutation({
    mutationFn: (id: string) =>
      call('POST /admin/v1/webhooks/deliveries/{delivery_id}/redeliver', { path: { delivery_id: id } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: [NAME] }),
  });
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
      {again.error !== null && <ErrorNote title={texts.failed} error={again.error} />}
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
        <DataTable
          label={operationsTexts.views.webhooks}
          rows={deliveries.items}
          rowKey={(delivery) => delivery.delivery_id}
          columns={[
            { head: texts.heads.when, cell: (one) => <span className="figures">{formatMoment(one.created_at)}</span> },
            { head: texts.heads.type, cell: (one) => one.type },
            { head: texts.heads.url, cell: (one) => <span className={classes.address}>{one.url}</span> },
            {
              head: texts.heads.status,
              cell: (one) => <Mark tone={TONES[one.status]}>{texts.statuses[one.status]}</Mark>,
            },
            { head: texts.heads.attempts, cell: (one) => <Attempts delivery={one} /> },
            {
              head: texts.heads.deeds,
              actions: true,
              cell: (one) =>
                one.status !== 'pending' && (
                  <Button
                    size="xs"
                    variant="default"
                    loading={again.isPending && again.variables === one.delivery_id}
                    onClick={() => again.mutate(one.delivery_id)}
                  >
                    {texts.again}
                  </Button>
                ),
            },
          ]}
        />
      )}
      <MoreButton pages={deliveries} />
    </Panel>
  );
}

const TONES = { pending: 'busy', delivered: 'good', failed: 'bad' } as const;

function Attempts({ delivery }: { readonly delivery: Delivery }) {
  const last = delivery.attempts.at(-1);
  const answer = last === undefined ? '' : (last.error ?? String(last.response_status ?? ''));
  return (
    <div>
      {texts.attempts(delivery.attempts.length)}
      {delivery.next_attempt_at !== null && `, ${texts.next(formatMoment(delivery.next_attempt_at))}`}
      {answer !== '' && (
        <Text size="xs" c="dimmed">
          {answer}
        </Text>
      )}
    </div>
  );
}
