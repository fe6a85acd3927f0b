import { Button, Group } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { perform } from '../../api/deeds.ts';
import type { DataOf } from '../../api/operations.ts';
import { refresh } from '../../api/use-api.ts';
import { ErrorNote } from '../../components/error-note.tsx';
import { Told } from '../../components/two-lines.tsx';
import { operationsTexts } from '../../texts/operations.ts';
import { engineOf } from './order-name.tsx';
import { ResolveDialog } from './resolve-form.tsx';

type Order = DataOf<'GET /admin/v1/tasks/{task_id}'>;

const texts = operationsTexts.unknown;

/** What nobody has compared with the bill of the upstream yet. */
export function Unresolved({ order }: { readonly order: Order }) {
  return order.unresolved.map(({ reconciliation_id: id, kind, message }) => (
    <Told key={id} more={order.mode === 'test' ? texts.testAdvice : message}>
      {texts.at(texts.kinds[kind], engineOf(order))}
    </Told>
  ));
}

/** A finding about it, and a refund of what does not decode. */
export function UnresolvedDeeds({ order: { task_id: id, unresolved } }: { readonly order: Order }) {
  const [isAsked, setAsked] = useState(false);
  const refund = useMutation({
    mutationFn: () => perform('POST /admin/v1/tasks/{task_id}/refund', { path: { task_id: id } }, texts.refundOf(id)),
    onSuccess: () =>
      refresh(
        'GET /admin/v1/tasks',
        'GET /admin/v1/tasks/{task_id}',
        'GET /admin/v1/reconciliation',
        'GET /admin/v1/reconciliation/causes',
        'GET /admin/v1/accounts',
        'GET /admin/v1/audit',
      ),
  });
  if (unresolved.length === 0) return null;
  return (
    <>
      <Group gap="xs" justify="flex-end" wrap="nowrap">
        {unresolved.some(({ kind }) => kind === 'broken_output') && (
          <Button size="xs" aria-label={texts.refundOf(id)} loading={refund.isPending} onClick={() => refund.mutate()}>
            {texts.refund}
          </Button>
        )}
        <Button variant="default" size="xs" aria-label={texts.resolveOf(id)} onClick={() => setAsked(true)}>
          {texts.resolve}
        </Button>
      </Group>
      {refund.error !== null && <ErrorNote title={texts.notRefunded} error={refund.error} />}
      <ResolveDialog
        ids={isAsked ? unresolved.map(({ reconciliation_id: entry }) => entry) : []}
        onClose={() => setAsked(false)}
      />
    </>
  );
}
