import { Alert, Button, Group, Text, VisuallyHidden } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { Link } from 'wouter';
import { perform, useDeed } from '../../api/deeds.ts';
import type { DataOf } from '../../api/operations.ts';
import { useApi } from '../../api/use-api.ts';
import { SmallButton } from '../../components/buttons.ts';
import { ErrorNote } from '../../components/error-note.tsx';
import { DeedsForAll } from '../../components/orders/deeds-for-all.tsx';
import { type OrderFilter, ordersAddress, queryOf } from '../../components/orders/order-filter.ts';
import classes from '../../components/records.module.css';
import { formatMinute, formatMoment } from '../../format.ts';

export type Engine = DataOf<'GET /admin/v1/engines'>['items'][number];

const OTHER_ROUTE = 'Orders go to another upstream if their model has one; the others wait.';
/** Faults of an upstream, each with advice. */
const FAULTS = {
  auth: ['The upstream rejects our key', 'Set a valid key and restart the service. Accepted orders wait until then.'],
  billing: [
    'The upstream requires payment',
    'Pay the account at the upstream, then resume. Accepted orders wait until then.',
  ],
  rate_limited: ['The upstream asked for a pause', 'Nothing to do: orders continue after the pause.'],
  busy: ['The upstream is overloaded', OTHER_ROUTE],
  upstream: ['The upstream returns errors', OTHER_ROUTE],
  timeout: ['The upstream does not answer', OTHER_ROUTE],
} as const;
const COUNT_EVERY_MS = 10_000;

/** Returns the name of an engine with an open circuit, and its fault. */
export function faultOf({ name, circuit: { fault } }: Engine): string {
  return `${name}: ${fault === null ? 'No orders are sent to its upstream for now' : FAULTS[fault][0]}`;
}

/** Returns what the upstream said, else when the next order is tried. */
export function causeOf({ circuit: { reason, retry_at: retryAt } }: Engine): string {
  return reason ?? (retryAt === null ? '' : `One order is sent as a test at ${formatMoment(retryAt)}.`);
}

/** When the next order is tried, and what to do. */
export function CircuitAdvice({ engine: { circuit } }: { readonly engine: Engine }) {
  const { fault, since, retry_at: retryAt } = circuit;
  return (
    <Text size="sm" mt={4} className="figures">
      {since !== null && `Since ${formatMinute(since)}. `}
      {circuit.state === 'half_open'
        ? 'One order is being sent as a test. '
        : retryAt !== null && `One order is sent as a test at ${formatMoment(retryAt)}. `}
      {fault !== null && FAULTS[fault][1]}
    </Text>
  );
}

/** Explains an open circuit: reason, time of the next trial, and advice. Empty while it is closed. */
export function CircuitNote({ engine }: { readonly engine: Engine }) {
  const { circuit } = engine;
  if (circuit.state === 'closed') return null;
  return (
    <Alert variant="light" color="red" icon={<IconPlugConnectedX size={18} />} title={faultOf(engine)}>
      {circuit.reason !== null && <p className={classes.words}>{circuit.reason}</p>}
      <CircuitAdvice engine={engine} />
      <Group mt="sm" gap="xs" align="flex-start">
        <CircuitRemedies engine={engine} />
      </Group>
    </Alert>
  );
}

/** Remedies for an open circuit, and for all orders that wait for it. */
export function CircuitRemedies({ engine: { name } }: { readonly engine: Engine }) {
  const filter: OrderFilter = { state: 'open', search: '', engine: name, withTest: false };
  const orders =
    useApi('GET /admin/v1/tasks/deeds', { query: queryOf(filter) }, { every: COUNT_EVERY_MS }).data?.cancel ?? 0;
  return (
    <>
      <ResumeNow name={name} />
      {orders > 0 && (
        <SmallButton component={Link} href={ordersAddress(filter)}>
          {orders === 1 ? 'Its open order' : `Its ${orders} open orders`}
        </SmallButton>
      )}
      <DeedsForAll filter={filter} of={name} isOffered={orders > 1} />
    </>
  );
}

/** Closes the circuit of an engine, so that it gets orders again. */
function ResumeNow({ name }: { readonly name: string }) {
  const close = useDeed(() =>
    perform('POST /admin/v1/engines/{name}/circuit/close', { path: { name } }, `Resume now: ${name}`),
  );
  return (
    <>
      <Button size="xs" loading={close.isPending} onClick={() => close.mutate()}>
        Resume now
        <VisuallyHidden>: {name}</VisuallyHidden>
      </Button>
      <ErrorNote title="The request failed" error={close.error} />
    </>
  );
}
