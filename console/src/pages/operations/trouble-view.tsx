import { Stack } from '@mantine/core';
import { useState } from 'react';
import { OpenAlerts } from './alerts-view.tsx';
import { HealthLine } from './health-line.tsx';
import { LiveOrders } from './live-orders.tsx';
import { ResolveDialog } from './resolve-form.tsx';
import { UnknownCauses } from './unknown-view.tsx';

/** What is wrong now: how every part does, what needs somebody, and which orders stand still. */
export function TroubleView() {
  const [asked, setAsked] = useState<readonly string[]>([]);
  return (
    <Stack>
      <HealthLine />
      <OpenAlerts />
      <LiveOrders />
      <UnknownCauses mode="live" onResolve={setAsked} />
      <ResolveDialog ids={asked} onClose={() => setAsked([])} />
    </Stack>
  );
}
