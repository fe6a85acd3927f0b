import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { perform } from '../../api/deeds.ts';
import type { DataOf } from '../../api/operations.ts';
import { refresh, useApi } from '../../api/use-api.ts';
import { usePages } from '../../api/use-pages.ts';
import { ErrorNote } from '../../components/error-note.tsx';
import { atOnce, ListPanel } from '../../components/list-panel.tsx';
import { formatMoney } from '../../components/money.tsx';
import { Toggle } from '../../components/toggle.tsx';
import { Moment, Told } from '../../components/two-lines.tsx';
import { formatCount, formatMinute } from '../../format.ts';
import { operationsTexts } from '../../texts/operations.ts';
import { OrderName } from './order-name.tsx';
import { ResolveDialog } from './resolve-form.tsx';

type Cause = DataOf<'GET /admin/v1/reconciliation/causes'>['items'][number];

const texts = operationsTexts.unknown;
const PAGE_SIZE = 30;

/** Orders to compare with the bills of the upstreams: by cause with one finding for many, then each. */
export function UnknownView() {
  const [showsTest, setShowsTest] = useState(false);
  const [showsResolved, setShowsResolved] = useState(false);
  const [asked, setAsked] = useState<readonly string[]>([]);
  const mode = showsTest ? 'all' : 'live';
  return (
    <Stack>
      <Group justify="flex-end">
        <Toggle label={operationsTexts.showTest} isOn={showsTest} onChange={setShowsTest} />
        <Toggle label={texts.showResolved} isOn={showsResolved} onChange={setShowsResolved} />
      </Group>
      {!showsResolved && <UnknownCauses mode={mode} onResolve={setAsked} />}
      <Entries mode={mode} resolved={showsResolved ? 'true' : 'false'} onResolve={setAsked} />
      <ResolveDialog ids={asked} onClose={() => setAsked([])} />
    </Stack>
  );
}

/** The entries that nobody has resolved, by cause. Empty if there are none. */
export function UnknownCauses({
  mode,
  onResolve,
}: {
  readonly mode: 'live' | 'all';
  readonly onResolve: (ids: readonly string[]) => void;
}) {
  const causes = useApi('GET /admin/v1/reconciliation/causes', { query: { mode } }, { keep: true });
  if (causes.data === undefined ? causes.error === null : causes.data.items.length === 0) return null;
  return (
    <ListPanel
      pages={atOnce(causes)}
      title={texts.causes}
      hint={texts.causesHint}
      empty=""
      rowKey={({ kind, engine, cause }) => [kind, engine, cause].join()}
      columns={[
        { head: texts.heads.orders, phone: 'aside', numeric: true, cell: ({ orders }) => formatCount(orders) },
        { head: texts.heads.price, phone: 'fact', numeric: true, cell: ({ price }) => formatMoney(price) },
        { head: texts.heads.what, phone: 'title', cell: (cause) => <CauseText cause={cause} /> },
        { head: texts.heads.whose, phone: 'note', cell: ({ customers }) => customers.join(', ') },
        {
          head: texts.heads.when,
          phone: 'note',
          cell: ({ oldest_at: from, newest_at: to }) => texts.span(formatMinute(from), formatMinute(to)),
        },
        {
          head: texts.heads.actions,
          actions: true,
          cell: ({ ids, orders }) => (
            <Button variant="default" size="xs" onClick={() => onResolve(ids)}>
              {texts.resolveAll(ids.length, orders)}
            </Button>
          ),
        },
      ]}
    />
  );
}

function CauseText({ cause: { kind, engine, cause, models } }: { readonly cause: Cause }) {
  return (
    <div>
      <Told more={`${cause} (${models.join(', ')})`}>{texts.at(texts.kinds[kind], engine)}</Told>
      <Text size="xs">{texts.advice[kind]}</Text>
    </div>
  );
}

function Entries({
  mode,
  resolved,
  onResolve,
}: {
  readonly mode: 'live' | 'all';
  readonly resolved: 'true' | 'false';
  readonly onResolve: (ids: readonly string[]) => void;
}) {
  const entries = usePages(
    'GET /admin/v1/reconciliation',
    { limit: PAGE_SIZE, mode, resolved },
    (entry) => entry.reconciliation_id,
  );
  const refund = useMutation({
    mutationFn: (id: string) =>
      perform('POST /admin/v1/tasks/{task_id}/refund', { path: { task_id: id } }, texts.refundOf(id)),
    onSuccess: () =>
      refresh(
        'GET /admin/v1/reconciliation',
        'GET /admin/v1/reconciliation/causes',
        'GET /admin/v1/tasks/{task_id}',
        'GET /admin/v1/accounts',
        'GET /admin/v1/audit',
      ),
  });
  return (
    <>
      {refund.error !== null && <ErrorNote title={texts.notRefunded} error={refund.error} />}
      <ListPanel
        pages={entries}
        title={texts.entries}
        empty={texts.empty}
        rowKey={(entry) => entry.reconciliation_id}
        columns={[
          { head: texts.heads.when, phone: 'note', cell: (entry) => <Moment at={entry.created_at} /> },
          { head: texts.heads.whose, phone: 'title', cell: (entry) => <OrderName order={entry} /> },
          {
            head: texts.heads.what,
            phone: 'note',
            cell: (entry) => (
              <div>
                <Told more={entry.mode === 'test' ? texts.testAdvice : String(entry.detail.message ?? '')}>
                  {texts.at(texts.kinds[entry.kind], entry.engine)}
                </Told>
                {entry.resolved_at !== null && (
                  <Text size="xs">{texts.resolved(formatMinute(entry.resolved_at), entry.resolution ?? '')}</Text>
                )}
              </div>
            ),
          },
          { head: texts.heads.price, phone: 'aside', numeric: true, cell: (entry) => formatMoney(entry.price) },
          {
            head: texts.heads.actions,
            actions: true,
            cell: ({ kind, task_id: id, reconciliation_id: entryId, resolved_at: at }) =>
              at === null && (
                <Group gap="xs" justify="flex-end" wrap="nowrap">
                  {kind === 'broken_output' && (
                    <Button
                      size="xs"
                      aria-label={texts.refundOf(id)}
                      loading={refund.isPending && refund.variables === id}
                      onClick={() => refund.mutate(id)}
                    >
                      {texts.refund}
                    </Button>
                  )}
                  <Button
                    variant="default"
                    size="xs"
                    aria-label={texts.resolveOf(id)}
                    onClick={() => onResolve([entryId])}
                  >
                    {texts.resolve}
                  </Button>
                </Group>
              ),
          },
        ]}
      />
    </>
  );
}
