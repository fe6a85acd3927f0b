import { Button, Group, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { perform, useDeed } from '../../api/deeds.ts';
import type { DataOf } from '../../api/operations.ts';
import { useApi } from '../../api/use-api.ts';
import { formatCount, formatMinute, formatMoney } from '../../format.ts';
import { SmallButton } from '../buttons.ts';
import { DeedForm, DialogAbout } from '../dialog.tsx';
import { ErrorNote } from '../error-note.tsx';
import { ListPanel, singlePage } from '../list-panel.tsx';
import { Told } from '../words.tsx';
import { engineOf } from './order-name.tsx';

type Order = DataOf<'GET /admin/v1/tasks/{task_id}'>;
type Resolving = (ids: readonly string[]) => void;

/** Kinds of entries to reconcile with an upstream. */
export const UNKNOWN_KINDS = {
  outcome_unknown: 'Outcome unknown',
  late_result: 'Result arrived too late',
  broken_output: 'Image does not decode',
  not_as_ordered: 'Other than ordered',
};
const ADVICE = {
  outcome_unknown:
    'Look up the order in the engine’s own records by its time. If the engine made it, the engine bills you although the customer was not charged: settle this with the engine. The customer was told and may order again.',
  late_result:
    'The engine delivered after the order had ended. The customer was not charged, but the engine may bill you.',
  broken_output:
    'The engine delivered a complete image that does not decode. The customer was charged: refund the order if the image is of no use. This is final and resolves the entry.',
  not_as_ordered:
    'The engine delivered another thing than was ordered, or less. If it could not be used, the order failed and cost nothing; otherwise the customer was charged for what came. The engine bills you as ordered: settle this with the engine.',
};
const NOTE = 'Note what was found';

/** The entries of an order that were not compared with the upstream's bill yet. */
export function Unresolved({ order }: { readonly order: Order }) {
  const simulated = 'A test key simulated this. No engine was called, so there is nothing to settle.';
  return order.unresolved.map(({ reconciliation_id: id, kind, message }) => (
    <Told key={id} more={order.mode === 'test' ? simulated : message}>
      {`${UNKNOWN_KINDS[kind]} at ${engineOf(order)}`}
    </Told>
  ));
}

/** Buttons to note a finding and to refund a broken image. The list owns the dialog, which outlives the row. */
export function UnresolvedDeeds({
  order: { task_id: id, unresolved },
  onResolve,
}: {
  readonly order: Order;
  readonly onResolve: Resolving;
}) {
  const title = `Refund of ${id}`;
  const refund = useDeed(() => perform('POST /admin/v1/tasks/{task_id}/refund', { path: { task_id: id } }, title));
  if (unresolved.length === 0) return null;
  return (
    <>
      <Group gap="xs" justify="flex-end" wrap="nowrap">
        {unresolved.some(({ kind }) => kind === 'broken_output') && (
          <Button size="xs" aria-label={title} loading={refund.isPending} onClick={() => refund.mutate()}>
            Refund
          </Button>
        )}
        <SmallButton
          aria-label={`${NOTE} about ${id}`}
          onClick={() => onResolve(unresolved.map(({ reconciliation_id: entry }) => entry))}
        >
          {NOTE}
        </SmallButton>
      </Group>
      <ErrorNote title="The order was not refunded" error={refund.error} />
    </>
  );
}

/** The unresolved entries by cause. Empty if there are none. */
export function UnknownCauses({ mode, onResolve }: { readonly mode: 'live' | 'all'; readonly onResolve: Resolving }) {
  const causes = useApi('GET /admin/v1/reconciliation/causes', { query: { mode } }, { keep: true });
  if (causes.data === undefined ? causes.error === null : causes.data.items.length === 0) return null;
  return (
    <ListPanel
      pages={singlePage(causes, ({ kind, engine, cause }) => [kind, engine, cause].join())}
      title="Unknown outcomes by cause"
      hint="Compare these orders with the bills of their upstreams. None of them is sent again."
      empty=""
      columns={[
        { head: 'Orders', phone: 'aside', numeric: true, cell: ({ orders }) => formatCount(orders) },
        { head: 'Price', numeric: true, cell: ({ price }) => formatMoney(price) },
        {
          head: 'What',
          phone: 'title',
          cell: ({ kind, engine, cause, models }) => (
            <div>
              <Told more={`${cause} (${models.join(', ')})`}>{`${UNKNOWN_KINDS[kind]} at ${engine}`}</Told>
              <Text size="xs">{ADVICE[kind]}</Text>
            </div>
          ),
        },
        { head: 'Whose', phone: 'note', cell: ({ customers }) => customers.join(', ') },
        {
          head: 'When',
          phone: 'note',
          cell: ({ oldest_at: from, newest_at: to }) =>
            [...new Set([formatMinute(from), formatMinute(to)])].join(' to '),
        },
        {
          head: 'Actions',
          actions: true,
          cell: ({ ids, orders }) => (
            <SmallButton onClick={() => onResolve(ids)}>
              {ids.length < orders
                ? `Note one finding for ${ids.length} of ${orders}`
                : ids.length === 1
                  ? NOTE
                  : `Note one finding for ${ids.length}`}
            </SmallButton>
          ),
        },
      ]}
    />
  );
}

/** Asks for a finding about entries to reconcile; closed without entries. */
export function ResolveDialog({ ids, onClose }: { readonly ids: readonly string[]; readonly onClose: () => void }) {
  return (
    <DialogAbout about={ids.length > 0 ? ids : null} title={questionOf} onClose={onClose}>
      {(some) => <ResolveForm ids={some} />}
    </DialogAbout>
  );
}

function questionOf({ length }: readonly string[]): string {
  return length > 1 ? `What was found about these ${length} orders?` : 'What was found?';
}

function ResolveForm({ ids }: { readonly ids: readonly string[] }) {
  const [found, setFound] = useState('');
  const body = { ids: [...ids], resolution: found.trim() };
  return (
    <DeedForm
      act={() => perform('POST /admin/v1/reconciliation/resolve', { body }, questionOf(ids))}
      submit="Resolve"
      failed="The note was not saved"
      isReady={body.resolution !== ''}
    >
      <Text size="sm">
        {`This removes ${ids.length > 1 ? 'the entries' : 'the entry'} from the list. It changes no balance and no order.`}
      </Text>
      <Textarea
        label="What was found"
        placeholder="Not in their records: nothing was made, nothing billed."
        required
        autosize
        minRows={3}
        maxLength={2000}
        value={found}
        onChange={(event) => setFound(event.currentTarget.value)}
        data-autofocus
      />
    </DeedForm>
  );
}
