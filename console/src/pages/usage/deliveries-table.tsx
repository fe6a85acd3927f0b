import { Button, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from 'wouter';
import { call } from '../../api/client.ts';
import { refresh, useApi } from '../../api/use-api.ts';
import { DataTable } from '../../components/data-table.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Mark } from '../../components/status-mark.tsx';
import { formatMoment } from '../../format.ts';
import { usageTexts } from '../../texts/usage.ts';
import type { Scope } from './usage-page.tsx';

const texts = usageTexts.webhooks;
const TONES = { pending: 'busy', delivered: 'good', failed: 'bad' } as const;
const SHOWN = 8;
const EVERY_MS = 10_000;

/** The last webhooks: whether each arrived, and what its receiver said. */
export function DeliveriesTable({ scope }: { readonly scope: Scope }) {
  const deliveries = useApi(
    'GET /v1/account/webhooks/deliveries',
    { query: { scope, limit: SHOWN } },
    { every: EVERY_MS, keep: true },
  );
  const again = useMutation({
    mutationFn: (id: string) =>
      call('POST /v1/account/webhooks/deliveries/{delivery_id}/redeliver', { path: { delivery_id: id } }),
    onSuccess: () => refresh('GET /v1/account/webhooks/deliveries'),
  });
  const rows = deliveries.data?.items ?? [];
  if (deliveries.error !== null)
    return <ErrorNote error={deliveries.error} onRetry={() => void deliveries.refetch()} />;
  if (rows.length === 0) {
    return (
      <Text size="sm" c="dimmed" mih="1.5em">
        {deliveries.data === undefined ? '' : texts.none}
      </Text>
    );
  }
  return (
    <div>
      {again.error !== null && <ErrorNote title={texts.failed} error={again.error} />}
      <DataTable
        label={texts.title}
        rows={rows}
        rowKey={(one) => one.delivery_id}
        columns={[
          { head: texts.heads.when, cell: (one) => <span className="figures">{formatMoment(one.created_at)}</span> },
          { head: texts.heads.type, cell: (one) => <Link href={`/history/${one.task_id}`}>{one.type}</Link> },
          { head: texts.heads.to, cell: (one) => one.url },
          {
            head: texts.heads.status,
            cell: (one) => (
              <div>
                <Mark tone={TONES[one.status]}>{texts.statuses[one.status]}</Mark>
                <Text size="xs" c="dimmed">
                  {answerOf(one.attempts.at(-1))}
                </Text>
              </div>
            ),
          },
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
    </div>
  );
}

function answerOf(attempt: { readonly response_status: number | null; readonly error: string | null } | undefined) {
  return attempt === undefined ? '' : (attempt.error ?? String(attempt.response_status ?? ''));
}
