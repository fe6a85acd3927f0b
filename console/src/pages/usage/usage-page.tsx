import { Group, SegmentedControl, Skeleton, Stack } from '@mantine/core';
import { IconChartBar } from '@tabler/icons-react';
import { Suspense, useMemo, useState } from 'react';
import { useRole } from '../../api/person.ts';
import { useSession } from '../../api/session.ts';
import { useApi } from '../../api/use-api.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { lazyPart } from '../../components/lazy-part.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { Figure, Figures } from '../../components/panel.tsx';
import { Segments } from '../../components/segments.tsx';
import { formatCount, formatSeconds, formatShare } from '../../format.ts';
import { frameTexts } from '../../texts/frame.ts';
import { usageTexts } from '../../texts/usage.ts';
import { AccountPanel } from './account-panel.tsx';
import { EndUsersPanel } from './end-users-panel.tsx';
import { ExportMenu } from './export-menu.tsx';
import { LedgerPanel } from './ledger-panel.tsx';
import { ModelsPanel } from './models-panel.tsx';
import type { Scope } from './scope.ts';
import classes from './usage.module.css';
import { fillDays, formatDollars, successShare, sumsBy, type UsageRow, type UsageSum } from './usage-figures.ts';
import { WebhooksPanel } from './webhooks-panel.tsx';

const UsageCharts = lazyPart(async () => (await import('./usage-charts.tsx')).UsageCharts);
const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;

/** The page with the spending of the key or its account. */
export function UsagePage() {
  const [days, setDays] = useState(DEFAULT_DAYS);
  const [wish, setScope] = useState<Scope>('key');
  const account = useApi('GET /v1/account', {});
  const role = useRole();
  const maySeeAccount = account.data?.key.account_view === true;
  const scope = maySeeAccount ? wish : 'key';
  const from = useMemo(() => firstDay(days), [days]);
  const span = { from, scope };
  const byDay = useApi('GET /v1/account/usage', { query: { ...span, group_by: 'day,status' } }, { keep: true });
  const whole = useApi('GET /v1/account/usage', { query: { ...span, timing: 'true' } }, { keep: true });
  const texts = usageTexts.scope;
  // Rendered from top to bottom, so that the layout does not jump.
  const isReading = [byDay, whole, account].some(({ isPending }) => isPending);
  return (
    <>
      <PageHeader title={frameTexts.pages.usage} lead={usageTexts.lead}>
        <Group gap="sm">
          {account.isPending && <Skeleton w={190} h={36} aria-hidden="true" />}
          {maySeeAccount && <Segments label={texts.label} words={texts.words} value={scope} onChange={setScope} />}
          <SegmentedControl
            aria-label={usageTexts.span.label}
            value={String(days)}
            onChange={(value) => setDays(Number(value))}
            data={usageTexts.span.choices.map((choice) => ({
              value: String(choice),
              label: usageTexts.span.days(choice),
            }))}
          />
          <ExportMenu from={from} scope={scope} />
        </Group>
      </PageHeader>
      {isReading ? (
        <UsageSkeleton />
      ) : (
        <Stack gap="lg">
          {byDay.error !== null || whole.error !== null ? (
            <ErrorNote error={byDay.error ?? whole.error} onRetry={() => void byDay.refetch()} />
          ) : (
            <Spending days={days} from={from} byDay={byDay.data?.items ?? []} whole={whole.data?.items[0]} />
          )}
          <ModelsPanel from={from} scope={scope} />
          <AccountPanel account={account.data} />
          {role === null && <EndUsersPanel />}
          {(role === null || role === 'manager') && <WebhooksPanel scope={scope} mayChange={maySeeAccount} />}
          <LedgerPanel scope={scope} />
        </Stack>
      )}
    </>
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
  const sums = fillDays(sumsBy(byDay, 'day'), from, days);
  const total = sums.reduce(addSums);
  if (total.orders === 0) return <EmptyState {...usageTexts.empty} icon={IconChartBar} href="/" />;
  return (
    <>
      <TotalFigures total={total} whole={whole} />
      <Suspense fallback={<Skeleton className={classes.chartsPlace ?? ''} radius={14} />}>
        <UsageCharts sums={sums} />
      </Suspense>
    </>
  );
}

function TotalFigures({ total, whole }: { readonly total: UsageSum; readonly whole: UsageRow | undefined }) {
  const texts = usageTexts.figures;
  const { mode } = useSession();
  const share = successShare(total);
  const { p50 = null, p95 = null } = whole?.seconds ?? {};
  return (
    <Figures>
      <Figure
        label={mode === 'test' ? texts.spentPlayMoney : texts.spent}
        value={formatDollars(Number(whole?.charged ?? 0))}
        hint={texts.held(formatDollars(Number(whole?.held ?? 0)))}
      />
      <Figure label={texts.orders} value={formatCount(total.orders)} hint={texts.underWay(formatCount(total.open))} />
      <Figure
        label={texts.success}
        value={share === null ? texts.none : formatShare(share)}
        hint={texts.failures(total.failed)}
      />
      <Figure
        label={texts.half}
        value={p50 === null ? texts.none : formatSeconds(p50)}
        hint={p95 === null ? texts.noResults : texts.most(formatSeconds(p95))}
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

function addSums(a: UsageSum, b: UsageSum): UsageSum {
  return {
    name: '',
    orders: a.orders + b.orders,
    spent: a.spent + b.spent,
    succeeded: a.succeeded + b.succeeded,
    failed: a.failed + b.failed,
    canceled: a.canceled + b.canceled,
    open: a.open + b.open,
  };
}

/** Returns midnight UTC of the first day of the period, which includes today. */
function firstDay(days: number): string {
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  return new Date(today - (days - 1) * DAY_MS).toISOString();
}
