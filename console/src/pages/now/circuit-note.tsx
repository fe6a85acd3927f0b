import { Alert, Button, Group, Text, VisuallyHidden } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { Link } from 'wouter';
import { perform } from '../../api/deeds.ts';
import { useApi } from '../../api/use-api.ts';
import { useDeed } from '../../api/use-deed.ts';
import { SmallButton } from '../../components/buttons.ts';
import { ErrorNote } from '../../components/error-note.tsx';
import { DeedsForAll } from '../../components/orders/deeds-for-all.tsx';
import { type OrderFilter, ordersAddress, queryOf } from '../../components/orders/order-filter.ts';
import classes from '../../components/records.module.css';
import { formatMinute, formatMoment } from '../../format.ts';
import { operationsTexts } from '../../texts/operations.ts';
import type { Engine } from './engine-row.ts';

const texts = operationsTexts.engines.circuit;
const COUNT_EVERY_MS = 10_000;

/** Explains an open circuit: why, until when, and what to do. Empty while it is closed. */
export function CircuitNote({ engine }: { readonly engine: Engine }) {
  const { name, circuit } = engine;
  if (circuit.state === 'closed') return null;
  const { fault, reason, since, retry_at: retryAt } = circuit;
  return (
    <Alert
      variant="light"
      color="red"
      icon={<IconPlugConnectedX size={18} />}
      title={`${name}: ${fault === null ? 'No orders are sent to its upstream for now' : texts.faults[fault]}`}
    >
      {reason !== null && <p className={classes.words}>{reason}</p>}
      <Text size="sm" className="figures">
        {since !== null && `${texts.since(formatMinute(since))} `}
        {circuit.state === 'half_open'
          ? 'One order is being sent as a test.'
          : retryAt !== null && `One order is sent as a test at ${formatMoment(retryAt)}.`}
      </Text>
      {fault !== null && (
        <Text size="sm" mt={4}>
          {texts.advice[fault]}
        </Text>
      )}
      <CircuitRemedies engine={engine} />
    </Alert>
  );
}

/** What can be done about an open circuit, and about all orders that wait for it. */
export function CircuitRemedies({ engine: { name } }: { readonly engine: Engine }) {
  const filter: OrderFilter = { state: 'open', search: '', engine: name, withTest: false };
  const orders =
    useApi('GET /admin/v1/tasks/deeds', { query: queryOf(filter) }, { every: COUNT_EVERY_MS }).data?.cancel ?? 0;
  return (
    <Group mt="sm" gap="xs" align="flex-start">
      <ResumeNow name={name} />
      {orders > 0 && (
        <SmallButton component={Link} href={ordersAddress(filter)}>
          {orders === 1 ? 'Its open order' : `Its ${orders} open orders`}
        </SmallButton>
      )}
      <DeedsForAll filter={filter} of={name} isOffered={orders > 1} />
    </Group>
  );
}

/** Closes the circuit of an engine, so that it gets orders again. */
function ResumeNow({ name }: { readonly name: string }) {
  const close = useDeed(() =>
    perform('POST /admin/v1/engines/{name}/circuit/close', { path: { name } }, `${texts.close}: ${name}`),
  );
  return (
    <>
      <Button size="xs" loading={close.isPending} onClick={() => close.mutate()}>
        {texts.close}
        <VisuallyHidden>: {name}</VisuallyHidden>
      </Button>
      <ErrorNote title={operationsTexts.engines.failed} error={close.error} />
    </>
  );
}
