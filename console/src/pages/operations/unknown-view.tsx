import { Button, Group, Stack, Switch, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { perform } from '../../api/deeds.ts';
import type { DataOf } from '../../api/operations.ts';
import { refresh, useApi } from '../../api/use-api.ts';
import { ErrorNote } from '../../components/error-note.tsx';
import { atOnce, ListPanel } from '../../components/list-panel.tsx';
import { formatMoney } from '../../components/money.tsx';
import { formatCount, formatMinute, formatMoment } from '../../format.ts';
import { operationsTexts } from '../../texts/operations.ts';
import classes from './operations.module.css';
import { OrderName } from './order-name.tsx';
import { ResolveModal } from './resolve-modal.tsx';
import { useAdminPages } from './use-admin-pages.ts';

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
        <Switch
          label={operationsTexts.showTest}
          checked={showsTest}
          onChange={(event) => setShowsTest(event.currentTarget.checked)}
        />
        <Switch
          label={texts.showResolved}
          checked={showsResolved}
          onChange={(event) => setShowsResolved(event.currentTarget.checked)}
        />
      </Group>
      {!showsResolved && <UnknownCauses mode={mode} onResolve={setAsked} />}
      <Entries mode={mode} resolved={showsResolved ? 'true' : 'false'} onResolve={setAsked} />
      <ResolveModal ids={asked} onClose={() => setAsked([])} />
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
    <div className={classes.reason}>
      {texts.at(texts.kinds[kind], engine)}
      <Text size="xs" c="dimmed">
        {cause} ({models.join(', ')})
      </Text>
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
  const entries = useAdminPages(
    ['GET /admin/v1/reconciliation', mode, resolved],
    (after, signal) => {
      const query = { limit: PAGE_SIZE, mode, resolved, ...(after === undefined ? {} : { after }) };
      return call('GET /admin/v1/reconciliation', { query }, { signal });
    },
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
          {
            head: texts.heads.when,
            phone: 'note',
            cell: (entry) => <span className="figures">{formatMoment(entry.created_at)}</span>,
          },
          { head: texts.heads.whose, phone: 'title', cell: (entry) => <OrderName order={entry} /> },
          {
            head: texts.heads.what,
            phone: 'note',
            cell: (entry) => (
              <div className={classes.reason}>
                {texts.at(texts.kinds[entry.kind], entry.engine)}
                <Text size="xs" c="dimmed">
                  {entry.mode === 'test' ? texts.testAdvice : String(entry.detail.message ?? '')}
                </Text>
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
