import { Button, Group } from '@mantine/core';
import { perform } from '../../api/deeds.ts';
import type { DataOf } from '../../api/operations.ts';
import { useDeed } from '../../api/use-deed.ts';
import { operationsTexts } from '../../texts/operations.ts';
import { ErrorNote } from '../error-note.tsx';
import { Told } from '../two-lines.tsx';
import { engineOf } from './order-name.tsx';

type Order = DataOf<'GET /admin/v1/tasks/{task_id}'>;

const texts = operationsTexts.unknown;

/** What nobody has compared with the bill of the upstream yet. */
export function Unresolved({ order }: { readonly order: Order }) {
  return order.unresolved.map(({ reconciliation_id: id, kind, message }) => (
    <Told
      key={id}
      more={
        order.mode === 'test'
          ? 'A test key simulated this. No engine was called, so there is nothing to settle.'
          : message
      }
    >
      {texts.at(texts.kinds[kind], engineOf(order))}
    </Told>
  ));
}

/** A finding about it, and a refund of what does not decode. The list has the dialog: it outlives the row. */
export function UnresolvedDeeds({
  order: { task_id: id, unresolved },
  onResolve,
}: {
  readonly order: Order;
  readonly onResolve: (ids: readonly string[]) => void;
}) {
  const refund = useDeed(() =>
    perform('POST /admin/v1/tasks/{task_id}/refund', { path: { task_id: id } }, texts.refundOf(id)),
  );
  if (unresolved.length === 0) return null;
  return (
    <>
      <Group gap="xs" justify="flex-end" wrap="nowrap">
        {unresolved.some(({ kind }) => kind === 'broken_output') && (
          <Button size="xs" aria-label={texts.refundOf(id)} loading={refund.isPending} onClick={() => refund.mutate()}>
            Refund
          </Button>
        )}
        <Button
          variant="default"
          size="xs"
          aria-label={`Note what was found about ${id}`}
          onClick={() => onResolve(unresolved.map(({ reconciliation_id: entry }) => entry))}
        >
          Note what was found
        </Button>
      </Group>
      <ErrorNote title="The order was not refunded" error={refund.error} />
    </>
  );
}
