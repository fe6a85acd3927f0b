import { Skeleton, Stack, Text } from '@mantine/core';
import { IconCoins } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { useApi } from '../../api/use-api.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { atOnce, ListPanel } from '../../components/list-panel.tsx';
import { formatMoney, Margin } from '../../components/money.tsx';
import { Figure, Figures } from '../../components/panel.tsx';
import { Segments } from '../../components/segments.tsx';
import { Hint } from '../../components/words.ts';
import { formatCount, formatShare } from '../../format.ts';
import { frameTexts } from '../../texts/frame.ts';
import { operationsTexts } from '../../texts/operations.ts';
import { costOrdersAddress } from './cost-filter.ts';
import { type CostGroup, type CostRow, CostTable, hasCosts } from './cost-table.tsx';
import { RouteMargins } from './route-margins.tsx';

const texts = operationsTexts.costs;

/** What live orders of the last 30 days earned and cost, in total and by model, account or engine. */
export function CostsView() {
  const [group, setGroup] = useState<CostGroup>('model_id');
  const total = useApi('GET /admin/v1/costs', {});
  const costs = useApi('GET /admin/v1/costs', { query: { group_by: group } });
  if (total.error !== null) return <ErrorNote error={total.error} onRetry={() => void total.refetch()} />;
  if (total.data === undefined) return <Skeleton h={320} radius={14} aria-hidden="true" />;
  const [sum] = total.data.items;
  if (sum === undefined)
    return (
      <Stack>
        <EmptyState icon={IconCoins} title={texts.empty} text={texts.emptyText} />
        <RouteMargins />
      </Stack>
    );
  return (
    <Stack>
      <Sums row={sum} />
      {sum.without_amount > 0 && (
        <Text size="sm">
          <Link href={costOrdersAddress({ note: 'without_amount' })}>
            {texts.costUnknown(formatCount(sum.without_amount))}
          </Link>{' '}
          {texts.earnedUnknown(formatMoney(toCents(sum.revenue_without_amount)))}
        </Text>
      )}
      {sum.unknown > 0 && (
        <Text size="sm">
          <Link href={costOrdersAddress({ note: 'unknown' })}>{texts.outcomeUnknown(formatCount(sum.unknown))}</Link>{' '}
          {texts.costIfMade(formatMoney(toCents(sum.unknown_cost)))}
        </Text>
      )}
      <ListPanel
        pages={atOnce(costs)}
        title={frameTexts.views.margins}
        hint={texts.hint}
        empty={texts.empty}
        aside={<Segments label={texts.by} words={texts.groups} value={group} onChange={setGroup} />}
      >
        {(rows) => (
          <>
            <CostTable rows={rows} group={group} />
            {costs.data?.has_more === true && <Hint p="md">{texts.more(rows.length)}</Hint>}
          </>
        )}
      </ListPanel>
      <RouteMargins />
    </Stack>
  );
}

/** Every figure leads to its list. */
function Sums({ row }: { readonly row: CostRow }) {
  // Orders of unknown cost have no margin, so their revenue is no part of it.
  const revenue = Number(row.revenue) - Number(row.revenue_without_amount);
  const leading = (value: ReactNode) => <Link href={costOrdersAddress()}>{value}</Link>;
  return (
    <Figures>
      <Figure label={texts.heads.orders} value={leading(formatCount(row.orders))} />
      <Figure label={texts.heads.revenue} value={leading(formatMoney(toCents(row.revenue)))} />
      <Figure
        label={texts.heads.cost}
        value={leading(hasCosts(row) ? formatMoney(toCents(row.cost)) : texts.notKnown)}
      />
      <Figure
        label={texts.heads.margin}
        value={leading(hasCosts(row) ? <Margin amount={toCents(row.margin)} /> : texts.notKnown)}
        hint={revenue > 0 ? texts.ofRevenue(formatShare(Number(row.margin) / revenue)) : undefined}
      />
    </Figures>
  );
}

/** Rounds an amount, unless that would hide most of it. */
function toCents(amount: string): string {
  return Math.abs(Number(amount)) < 0.1 ? amount : Number(amount).toFixed(2);
}
