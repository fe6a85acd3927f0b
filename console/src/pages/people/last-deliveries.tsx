import { perform } from '../../api/deeds.ts';
import { useMay } from '../../api/may.ts';
import { refresh, useApi } from '../../api/use-api.ts';
import { Deliveries } from '../../components/deliveries.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Hint } from '../../components/words.ts';
import { usageTexts } from '../../texts/usage.ts';
import { webhookTexts } from '../../texts/webhooks.ts';

const texts = usageTexts.webhooks;
const REDELIVER = 'POST /v1/account/webhooks/deliveries/{delivery_id}/redeliver';
const SHOWN = 8;
const PENDING_EVERY_MS = 10_000;

/** The latest webhook deliveries with their results. */
export function LastDeliveries({ scope }: { readonly scope: 'key' | 'account' }) {
  const may = useMay();
  const deliveries = useApi(
    'GET /v1/account/webhooks/deliveries',
    { query: { scope, limit: SHOWN } },
    {
      every: (data) => (data?.items.some(({ status }) => status === 'pending') === true ? PENDING_EVERY_MS : false),
      keep: true,
    },
  );
  const rows = deliveries.data?.items ?? [];
  if (deliveries.error !== null)
    return <ErrorNote error={deliveries.error} onRetry={() => void deliveries.refetch()} />;
  if (rows.length === 0) {
    return <Hint mih="1.5em">{deliveries.data === undefined ? '' : 'None sent yet.'}</Hint>;
  }
  return (
    <Deliveries
      label={texts.title}
      deliveries={rows}
      orderAddress={(taskId) => `/history/${taskId}`}
      {...(may(REDELIVER) ? { sendAgain } : {})}
    />
  );
}

async function sendAgain(id: string): Promise<void> {
  await perform(REDELIVER, { path: { delivery_id: id } }, webhookTexts.again);
  await refresh('GET /v1/account/webhooks/deliveries');
}
