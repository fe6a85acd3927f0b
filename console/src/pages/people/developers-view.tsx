import { Stack } from '@mantine/core';
import { useMay } from '../../api/may.ts';
import { DestinationsPanel } from './destinations-panel.tsx';
import { EndUsersPanel } from './end-users-panel.tsx';
import { RequestLog } from './request-log.tsx';
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
