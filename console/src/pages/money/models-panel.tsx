import { Group, Progress, Skeleton, Text } from '@mantine/core';
import { useApi } from '../../api/use-api.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Panel } from '../../components/panel.tsx';
import { formatCount, formatSeconds } from '../../format.ts';
import { formatDollars, type Scope, shareOf, sumsBy } from './usage-figures.ts';

/** Cost and results by model. The bar compares with the most expensive model. */
export function ModelsPanel({ from, scope }: { readonly from: string; readonly scope: Scope }) {
  const options = { keep: true };
  const ends = useApi('GET /v1/account/usage', { query: { from, scope, group_by: 'model_id,status' } }, options);
  const times = useApi(
    'GET /v1/account/usage',
    { query: { from, scope, group_by: 'model_id', timing: 'true' } },
    options,
  );
  const rows = sumsBy(ends.data?.items ?? [], (row) => row.model_id).sort(
    (a, b) => b.spent - a.spent || b.orders - a.orders,
  );
  if (ends.isPending) return <Skeleton h={320} radius={14} aria-hidden="true" />;
  if (rows.length === 0) return null;
  const most = Math.max(...rows.map((row) => row.spent), Number.MIN_VALUE);
  const secondsOf = new Map(times.data?.items.map((row) => [row.model_id, row.seconds]));
  const timeOf = (model: string, which: 'p50' | 'p95') => {
    const seconds = secondsOf.get(model)?.[which] ?? null;
    return seconds === null ? '–' : formatSeconds(seconds);
  };
  return (
    <Panel title="By model" hint="Highest spend first" flush>
      <DataTable
        label="By model"
        rows={rows}
        rowKey={(row) => row.name}
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
    </Panel>
  );
}
