import { Stack } from '@mantine/core';
import { useMay } from '../../api/may.ts';
import { usePages } from '../../api/use-pages.ts';
import { ListPanel } from '../../components/list-panel.tsx';
import classes from '../../components/records.module.css';
import { Mark } from '../../components/status-mark.tsx';
import { Moment, Told } from '../../components/two-lines.tsx';
import { formatCount } from '../../format.ts';
import { requestTexts as texts } from '../../texts/requests.ts';
import { DestinationsPanel } from './destinations-panel.tsx';
import { EndUsersPanel } from './end-users-panel.tsx';
import { UpstreamKeysPanel } from './upstream-keys-panel.tsx';
import { WebhooksPanel } from './webhooks-panel.tsx';

/** What programs of the account need: webhooks, destinations, upstream keys, end users and what they have sent. */
export function DevelopersView() {
  const may = useMay();
  return (
    <Stack gap="lg">
      {may('GET /v1/account/webhooks/deliveries') && <WebhooksPanel />}
      {may('GET /v1/destinations') && <DestinationsPanel />}
      {may('GET /v1/account/upstream_keys') && <UpstreamKeysPanel />}
      {may('GET /v1/end_users') && <EndUsersPanel />}
      <RequestLog />
    </Stack>
  );
}

const PAGE_SIZE = 10;

/** What the key in use has sent lately, and how it was answered. */
function RequestLog() {
  return (
    <ListPanel
      pages={usePages('GET /v1/requests', { limit: PAGE_SIZE }, ({ entry_id: id }) => id)}
      title="Your requests"
      hint="Sent within 7 days, and how they were answered; without contents."
      empty="Nothing yet. A request appears here about a second after its answer."
      rowKey={({ entry_id: id }) => id}
      columns={[
        { head: texts.heads.when, phone: 'note', cell: ({ answered_at: at }) => <Moment at={at} /> },
        {
          head: texts.heads.request,
          phone: 'title',
          cell: ({ method, path, task_id: taskId }) => (
            <Told more={taskId}>
              <span className={classes.code}>
                {method} {path}
              </span>
            </Told>
          ),
        },
        {
          head: texts.heads.status,
          phone: 'aside',
          cell: ({ status, code }) =>
            status === null ? (
              <Mark tone="quiet">{texts.left}</Mark>
            ) : (
              <Told more={code}>
                <Mark tone={status >= 400 ? 'bad' : 'good'}>{String(status)}</Mark>
              </Told>
            ),
        },
        {
          head: texts.heads.took,
          phone: 'fact',
          numeric: true,
          cell: ({ duration_ms: took }) => <span className="figures">{formatCount(took)} ms</span>,
        },
        {
          head: texts.heads.id,
          phone: 'note',
          cell: ({ request_id: id }) => <span className={classes.code}>{id}</span>,
        },
      ]}
    />
  );
}
