import { SegmentedControl, Skeleton, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { DataOf } from '../../api/operations.ts';
import { useApi } from '../../api/use-api.ts';
import { DataTable } from '../../components/data-table.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Panel } from '../../components/panel.tsx';
import { formatCount } from '../../format.ts';
import { operationsTexts } from '../../texts/operations.ts';

type CostRow = DataOf<'GET /admin/v1/costs'>['items'][number];
type Group = keyof typeof texts.groups;

const texts = operationsTexts.costs;
const EVERY_MS = 60_000;

/** What live orders of the last 30 days earned and cost, by model, account or engine. */
export function CostsView() {
  const [group, setGroup] = useState<Group>('model_id');
  return (
    <Stack>
      <SegmentedControl
        aria-label={texts.by}
        value={group}
        onChange={(next) => setGroup(next as Group)}
        data={Object.entries(texts.groups).map(([value, label]) => ({ value, label }))}
      />
      <Costs group={group} />
    </Stack>
  );
}

function Costs({ group }: { readonly group: Group }) {
  const costs = useApi('GET /admin/v1/costs', { query: { group_by: group } }, { every: EVERY_MS });
  if (costs.error !== null) return <ErrorNote error={costs.error} onRetry={() => void costs.refetch()} />;
  if (costs.data === undefined) return <Skeleton h={220} radius={14} aria-hidden="true" />;
  return (
    <Panel title={operationsTexts.views.costs} hint={texts.hint} flush>
      {costs.data.items.length === 0 ? (
        <Text p="md" c="dimmed">
          {texts.empty}
        </Text>
      ) : (
        <DataTable
          label={operationsTexts.views.costs}
          rows={costs.data.items}
          rowKey={(row) => row[group] ?? ''}
          columns={[
            { head: texts.groups[group], phone: 'title', cell: (row) => row[group] },
            { head: texts.heads.orders, phone: 'fact', numeric: true, cell: (row) => formatCount(row.orders) },
            { head: texts.heads.revenue, phone: 'fact', numeric: true, cell: (row) => row.revenue },
            { head: texts.heads.expected, phone: 'fact', numeric: true, cell: (row) => row.expected },
            { head: texts.heads.told, phone: 'fact', numeric: true, cell: (row) => row.told },
            { head: texts.heads.margin, phone: 'aside', numeric: true, cell: (row) => row.margin },
            { head: texts.heads.notes, phone: 'note', cell: (row) => <Notes row={row} /> },
          ]}
        />
      )}
    </Panel>
  );
}

function Notes({ row }: { readonly row: CostRow }) {
  const notes = [
    ...(row.below_cost > 0 ? [texts.belowCost(row.below_cost)] : []),
    ...(row.differing > 0 ? [texts.differing(row.differing)] : []),
    ...(row.unknown > 0 ? [texts.unknown(row.unknown)] : []),
  ];
  return (
    <Text size="xs" c="dimmed">
      {notes.join(', ')}
    </Text>
  );
}
