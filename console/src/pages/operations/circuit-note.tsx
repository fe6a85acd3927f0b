import { Alert, Button, Text, VisuallyHidden } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { Link } from 'wouter';
import { perform } from '../../api/deeds.ts';
import { refresh } from '../../api/use-api.ts';
import { ErrorNote } from '../../components/error-note.tsx';
import { formatMinute, formatMoment } from '../../format.ts';
import { operationsTexts } from '../../texts/operations.ts';
import { orderTexts } from '../../texts/operator-orders.ts';
import type { Engine } from './engine-row.ts';
import classes from './operations.module.css';
import { ordersAddress } from './order-filter.ts';

const texts = operationsTexts.engines.circuit;

/** Explains an open circuit: why, until when, and what to do. Empty while it is closed. */
export function CircuitNote({ engine: { name, circuit } }: { readonly engine: Engine }) {
  if (circuit.state === 'closed') return null;
  const { fault, reason, since, retry_at: retryAt } = circuit;
  return (
    <Alert
      variant="light"
      color="red"
      icon={<IconPlugConnectedX size={18} />}
      title={`${name}: ${fault === null ? texts.title : texts.faults[fault]}`}
    >
      {reason !== null && <p className={classes.words}>{reason}</p>}
      <Text size="sm" className="figures">
        {since !== null && `${texts.since(formatMinute(since))} `}
        {circuit.state === 'half_open' ? texts.trying : retryAt !== null && texts.retry(formatMoment(retryAt))}
      </Text>
      {fault !== null && (
        <Text size="sm" mt={4}>
          {texts.advice[fault]}
        </Text>
      )}
      <ResumeNow name={name} />
      <Text size="sm" mt="sm">
        <Link href={ordersAddress({ state: 'open', engine: name })}>{orderTexts.ofEngine}</Link>
      </Text>
    </Alert>
  );
}

/** Closes the circuit of an engine, so that it gets orders again. */
export function ResumeNow({ name }: { readonly name: string }) {
  const close = useMutation({
    mutationFn: () =>
      perform('POST /admin/v1/engines/{name}/circuit/close', { path: { name } }, `${texts.close}: ${name}`),
    onSuccess: () =>
      refresh(
        'GET /admin/v1/engines',
        'GET /admin/v1/models',
        'GET /admin/v1/audit',
        'GET /v1/models',
        'GET /v1/catalog',
      ),
  });
  return (
    <>
      <Button size="xs" variant="default" mt="sm" loading={close.isPending} onClick={() => close.mutate()}>
        {texts.close}
        <VisuallyHidden>: {name}</VisuallyHidden>
      </Button>
      {close.error !== null && <ErrorNote title={operationsTexts.engines.failed} error={close.error} />}
    </>
  );
}
