import { Group, Menu, Progress, Skeleton, Stack, Text } from '@mantine/core';
import { IconChartBar, IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { call } from '../../api/client.ts';
import { useMay } from '../../api/may.ts';
import { useRole } from '../../api/person.ts';
import { saveFile } from '../../api/save-answer.ts';
import { useSession } from '../../api/session.ts';
import { readAll, useApi } from '../../api/use-api.ts';
import { AsSeen, together } from '../../components/as-seen.tsx';
import { PlainButton } from '../../components/buttons.ts';
import { csvOf } from '../../components/csv.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Segments } from '../../components/inputs.tsx';
import { ListPanel } from '../../components/list-panel.tsx';
import { Figure, Figures } from '../../components/panel.tsx';
import { formatCount, formatDollars, formatSeconds } from '../../format.ts';
import { orderTexts } from '../../texts/orders.ts';
import { AccountPanel } from './account-panel.tsx';
import { LedgerPanel, ReceiptForm } from './ledger-panel.tsx';
import classes from './usage.module.css';
import { UsageCharts } from './usage-charts.tsx';
import { fillDays, type Scope, shareOf, sumsBy, type UsageRow, type UsageSum } from './usage-figures.ts';

const DAY_MS = 86_400_000;
const PERIODS = { 7: '7 days', 30: '30 days', 90: '90 days' };
const DEFAULT_DAYS = 30;

/** The page with the spending of the key or its account. */
export function UsagePage() {
  const [days, setDays] = useState(DEFAULT_DAYS);
  const [chosen, setScope] = useState<Scope>('key');
  const account = useApi('GET /v1/account', {});
  const role = useRole();
  const maySeeAccount = account.data?.key.account_view === true;
  // Finance has no orders of its own.
  const scope = role === 'finance' ? 'account' : maySeeAccount ? chosen : 'key';
  const from = useMemo(() => firstDay(days), [days]);
  const span = { from, scope };
  const byDay = useApi('GET /v1/account/usage', { query: { ...span, group_by: 'day,status' } }, { keep: true });
  const whole = useApi('GET /v1/account/usage', { query: { ...span, timing: 'true' } }, { keep: true });
  const words = { key: role === null ? 'This key' : 'My orders', account: 'Whole account' };
  // A key gets only the receipts of its own orders.
  const receiptScope = role === null ? 'key' : scope;
  // Rendered from top to bottom, so that the layout does not jump.
  const isReading = [byDay, whole, account].some(({ isPending }) => isPending);
  return (
    <Stack>
      <Group justify="space-between" gap="sm">
        <Group gap="sm">
          {account.isPending && <Skeleton w={190} h={36} aria-hidden="true" />}
          {maySeeAccount && role !== 'finance' && (
            <Segments label="Scope" words={words} value={scope} onChange={setScope} />
          )}
          <Segments label="Period" words={PERIODS} value={String(days)} onChange={(value) => setDays(Number(value))} />
        </Group>
        <ExportMenu from={from} scope={scope} />
      </Group>
      {isReading ? (
        <UsageSkeleton />
      ) : (
        <Stack gap="lg">
          <AsSeen of={account}>{(own) => <AccountPanel account={own} isKey={role === null} />}</AsSeen>
          <AsSeen of={together(byDay, whole)}>
            {([{ items }, all]) => <Spending days={days} from={from} byDay={items} whole={all.items[0]} />}
          </AsSeen>
          <ModelsPanel from={from} scope={scope} />
          <LedgerPanel scope={scope} hasReceipts={scope === receiptScope} />
          <ReceiptForm scope={receiptScope} />
        </Stack>
      )}
    </Stack>
  );
}

function Spending({
  days,
  from,
  byDay,
  whole,
}: {
  readonly days: number;
  readonly from: string;
  readonly byDay: readonly UsageRow[];
  readonly whole: UsageRow | undefined;
}) {
  const may = useMay();
  const { mode } = useSession();
  const [total] = sumsBy(byDay, () => '');
  if (total === undefined || total.orders === 0) {
    const order = may('POST /v1/images') ? { action: 'Make a picture', href: '/' } : {};
    return (
      <EmptyState
        {...order}
        icon={IconChartBar}
        title={`No ${mode} orders in this period`}
        text="Choose a longer period. What an order costs appears here at once."
      />
    );
  }
  return (
    <>
      <TotalFigures total={total} whole={whole} />
      <UsageCharts
        sums={fillDays(
          sumsBy(byDay, (row) => row.day),
          from,
          days,
        )}
      />
    </>
  );
}

function TotalFigures({ total, whole }: { readonly total: UsageSum; readonly whole: UsageRow | undefined }) {
  const { mode } = useSession();
  const { p50 = null, p95 = null } = whole?.seconds ?? {};
  return (
    <Figures>
      <Figure
        label={mode === 'test' ? 'Spent (play money)' : 'Spent'}
        value={formatDollars(Number(whole?.charged ?? 0))}
        hint={`${formatDollars(Number(whole?.held ?? 0))} more held`}
      />
      <Figure label="Orders" value={formatCount(total.orders)} hint={`${formatCount(total.open)} in progress`} />
      <Figure
        label="Succeeded"
        value={shareOf(total)}
        hint={total.failed === 0 ? 'None failed' : `${formatCount(total.failed)} failed, not charged`}
      />
      <Figure
        label="Median time"
        value={p50 === null ? '–' : formatSeconds(p50)}
        hint={p95 === null ? 'No results yet' : `95 % within ${formatSeconds(p95)}`}
      />
    </Figures>
  );
}

function UsageSkeleton() {
  return (
    <Stack gap="lg" aria-hidden="true">
      <Skeleton h={106} radius={14} />
      <Skeleton className={classes.chartsPlace ?? ''} radius={14} />
      <Skeleton h="50dvh" radius={14} />
    </Stack>
  );
}

/** Returns midnight UTC of the first day of the period, which includes today. */
function firstDay(days: number): string {
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  return new Date(today - (days - 1) * DAY_MS).toISOString();
}

/** Exports CSV files: the usage of the period, and the whole ledger. */
function ExportMenu({ from, scope }: { readonly from: string; readonly scope: Scope }) {
  const usage = useMutation({ mutationFn: () => exportUsage(from, scope) });
  const ledger = useMutation({ mutationFn: () => exportLedger(scope) });
  const error = usage.error ?? ledger.error;
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <PlainButton
            leftSection={<IconDownload size={16} aria-hidden="true" />}
            loading={usage.isPending || ledger.isPending}
          >
            Export
          </PlainButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => usage.mutate()}>Usage as CSV</Menu.Item>
          <Menu.Item onClick={() => ledger.mutate()}>Ledger as CSV</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ErrorNote title="The export failed" error={error} />
    </>
  );
}

async function exportUsage(from: string, scope: Scope): Promise<void> {
  const { items } = await call('GET /v1/account/usage', {
    query: { from, scope, group_by: 'day,model_id,status' },
  });
  const rows = items.map((row) => [row.day, row.model_id, row.status, row.tasks, row.charged, row.held, row.currency]);
  saveCsv(
    `darkroom-usage-${from.slice(0, 10)}.csv`,
    csvOf(['day', 'model_id', 'status', 'tasks', 'charged', 'held', 'currency'], rows),
  );
}

async function exportLedger(scope: Scope): Promise<void> {
  const entries = await readAll('GET /v1/account/ledger', { query: { scope } }, (entry) => entry.entry_id);
  const heads = ['entry_id', 'created_at', 'kind', 'task_id', 'note', 'amount', 'currency'] as const;
  saveCsv(
    'darkroom-ledger.csv',
    csvOf(
      heads,
      entries.map((entry) => heads.map((head) => entry[head])),
    ),
  );
}

function saveCsv(name: string, text: string): void {
  saveFile(name, new Blob([text], { type: 'text/csv;charset=utf-8' }));
}

/** Cost and results by model. The bar compares with the most expensive model. */
function ModelsPanel({ from, scope }: { readonly from: string; readonly scope: Scope }) {
  const { mode } = useSession();
  const options = { keep: true };
  const ends = useApi('GET /v1/account/usage', { query: { from, scope, group_by: 'model_id,status' } }, options);
  const times = useApi(
    'GET /v1/account/usage',
    { query: { from, scope, group_by: 'model_id', timing: 'true' } },
    options,
  );
  const items =
    ends.data &&
    sumsBy(ends.data.items, (row) => row.model_id).sort((a, b) => b.spent - a.spent || b.orders - a.orders);
  if (items?.length === 0) return null;
  const most = Math.max(...(items ?? []).map((row) => row.spent), Number.MIN_VALUE);
  const secondsOf = new Map(times.data?.items.map((row) => [row.model_id, row.seconds]));
  const timeOf = (model: string, which: 'p50' | 'p95') => {
    const seconds = secondsOf.get(model)?.[which] ?? null;
    return seconds === null ? '–' : formatSeconds(seconds);
  };
  return (
    <ListPanel
      pages={{ ...ends, items, idOf: (row) => row.name }}
      title="By model"
      hint={`${orderTexts.ofMode[mode]}, highest spend first`}
      empty=""
      columns={[
        { head: 'Model', phone: 'title', cell: (row) => row.name },
        { head: 'Orders', numeric: true, cell: (row) => formatCount(row.orders) },
        { head: 'Succeeded', numeric: true, cell: shareOf },
        { head: 'Median time', numeric: true, cell: (row) => timeOf(row.name, 'p50') },
        { head: '95 % within', numeric: true, cell: (row) => timeOf(row.name, 'p95') },
        {
          head: 'Spent',
          phone: 'aside',
          numeric: true,
          cell: (row) => (
            <Group component="span" gap={12} justify="flex-end" wrap="nowrap">
              <Progress value={(row.spent / most) * 100} w="min(160px, 16vw)" visibleFrom="sm" aria-hidden="true" />
              <Text span inherit miw="7ch">
                {formatDollars(row.spent)}
              </Text>
            </Group>
          ),
        },
      ]}
    />
  );
}
