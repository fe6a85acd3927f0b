import { SegmentedControl, Skeleton, Stack, Text } from '@mantine/core';
import { IconCoins } from '@tabler/icons-react';
import { useState } from 'react';
import type { DataOf } from '../../api/operations.ts';
import { useApi } from '../../api/use-api.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { formatMoney, Margin } from '../../components/money.tsx';
import { Figure, Figures, Panel } from '../../components/panel.tsx';
import { formatCount, formatShare } from '../../format.ts';
import { operationsTexts } from '../../texts/operations.ts';
import { type CostGroup, type CostRow, CostTable } from './cost-table.tsx';

const texts = operationsTexts.costs;

/** What live orders of the last 30 days earned and cost, in total and by model, account or engine. */
export function CostsView() {
  const [group, setGroup] = useState<CostGroup>('model_id');
  const total = useApi('GET /admin/v1/costs', {});
  const costs = useApi('GET /admin/v1/costs', { query: { group_by: group } });
  if (total.error !== null) return <ErrorNote error={total.error} onRetry={() => void total.refetch()} />;
  if (total.data === undefined) return <Skeleton h={320} radius={14} aria-hidden="true" />;
  const [sum] = total.data.items;
  if (sum === undefined) {
    return (
      <EmptyState
        icon={<IconCoins size={44} stroke={1.2} color="var(--accent)" aria-hidden="true" />}
        title={texts.empty}
        text={texts.emptyText}
      />
    );
  }
  const filter = (
    <SegmentedControl
      aria-label={texts.by}
      value={group}
      onChange={(next) => setGroup(next as CostGroup)}
      data={Object.entries(texts.groups).map(([value, label]) => ({ value, label }))}
    />
  );
  return (
    <Stack>
      <Sums row={sum} />
      {sum.without_amount > 0 && (
        <Text size="sm">
          {texts.costUnknown(formatCount(sum.without_amount), formatMoney(toCents(sum.revenue_without_amount)))}
        </Text>
      )}
      <Panel title={operationsTexts.views.money} hint={texts.hint} aside={filter} flush>
        <Groups costs={costs} group={group} />
      </Panel>
    </Stack>
  );
}

function Sums({ row }: { readonly row: CostRow }) {
  const revenue = Number(row.revenue);
  return (
    <Figures>
      <Figure label={texts.heads.orders} value={formatCount(row.orders)} />
      <Figure label={texts.heads.revenue} value={formatMoney(toCents(row.revenue))} />
      <Figure label={texts.heads.cost} value={formatMoney(toCents(row.cost))} />
      <Figure
        label={texts.heads.margin}
        value={<Margin amount={toCents(row.margin)} />}
        hint={revenue > 0 ? texts.ofRevenue(formatShare(Number(row.margin) / revenue)) : undefined}
      />
    </Figures>
  );
}

/** Rounds an amount, unless that would hide most of it. */
function toCents(amount: string): string {
  return Math.abs(Number(amount)) < 0.1 ? amount : Number(amount).toFixed(2);
}

function Groups({
  costs,
  group,
}: {
  readonly costs: {
    readonly data: DataOf<'GET /admin/v1/costs'> | undefined;
    readonly error: Error | null;
    refetch(): unknown;
  };
  readonly group: CostGroup;
}) {
  if (costs.error !== null) return <ErrorNote error={costs.error} onRetry={() => void costs.refetch()} />;
  if (costs.data === undefined) return <Skeleton h={200} m="md" w="auto" aria-hidden="true" />;
  return (
    <>
      <CostTable rows={costs.data.items} group={group} />
      {costs.data.has_more && (
        <Text p="md" size="sm" c="dimmed">
          {texts.more(costs.data.items.length)}
        </Text>
      )}
    </>
  );
}
