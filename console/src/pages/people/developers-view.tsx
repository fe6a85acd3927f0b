import { Stack } from '@mantine/core';
import { useMay } from '../../api/may.ts';
import { usePages } from '../../api/use-api.ts';
import { ListPanel } from '../../components/list-panel.tsx';
import { requestColumns } from '../../components/request-columns.tsx';
import { DataRulesPanel } from './data-rules-panel.tsx';
import { DestinationsPanel } from './destinations-panel.tsx';
import { EndUsersPanel } from './end-users-panel.tsx';
import { UpstreamKeysPanel } from './upstream-keys-panel.tsx';
import { WebhooksPanel } from './webhooks-panel.tsx';

/** Settings and records for the account's programs: webhooks, destinations, keys, data rules, end users, requests. */
export function DevelopersView() {
  const may = useMay();
  return (
    <Stack gap="lg">
      {may('GET /v1/account/webhooks/deliveries') && <WebhooksPanel />}
      {may('GET /v1/destinations') && <DestinationsPanel />}
      {may('GET /v1/account/upstream_keys') && <UpstreamKeysPanel />}
      {may('GET /v1/account/data_rules') && <DataRulesPanel />}
      {may('GET /v1/end_users') && <EndUsersPanel />}
      <ListPanel
        pages={usePages('GET /v1/requests', { limit: 10 }, ({ entry_id: id }) => id)}
        title="Your requests"
        isDense
        hint="Sent within 7 days, and how they were answered; without contents."
        empty="Nothing yet. A request appears here about a second after its answer."
        columns={requestColumns()}
      />
    </Stack>
  );
}
