import { Text } from '@mantine/core';
import type { DataOf } from '../../api/operations.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Margin, Money } from '../../components/money.tsx';
import { formatCount } from '../../format.ts';
import { operationsTexts } from '../../texts/operations.ts';

export type CostRow = DataOf<'GET /admin/v1/costs'>['items'][number];
export type CostGroup = keyof typeof texts.groups;

const texts = operationsTexts.costs;

/** What each model, account or engine earned and cost. */
export function CostTable({ rows, group }: { readonly rows: readonly CostRow[]; readonly group: CostGroup }) {
  return (
    <DataTable
      label={operationsTexts.views.money}
      rows={rows}
      rowKey={(row) => row[group] ?? ''}
      columns={[
        { head: texts.groups[group], phone: 'title', cell: (row) => row[group] },
        { head: texts.heads.orders, phone: 'fact', numeric: true, cell: (row) => formatCount(row.orders) },
        { head: texts.heads.revenue, phone: 'fact', numeric: true, cell: (row) => <Money amount={row.revenue} /> },
        { head: texts.heads.expected, phone: 'fact', numeric: true, cell: (row) => <Money amount={row.expected} /> },
        { head: texts.heads.told, phone: 'fact', numeric: true, cell: (row) => <Money amount={row.told} /> },
        { head: texts.heads.cost, phone: 'fact', numeric: true, cell: (row) => <Money amount={row.cost} /> },
        { head: texts.heads.margin, phone: 'fact', numeric: true, cell: (row) => <Margin amount={row.margin} /> },
        { head: texts.heads.notes, phone: 'note', cell: notesOf },
      ]}
    />
  );
}

/** What an operator should look into; null if there is nothing. */
function notesOf(row: CostRow) {
  const notes = (['below_cost', 'differing', 'unsuccessful', 'unknown', 'without_amount'] as const)
    .filter((field) => row[field] > 0)
    .map((field) => texts.notes[field](formatCount(row[field])));
  return notes.length === 0 ? null : (
    <Text size="xs" c="dimmed">
      {notes.join(', ')}
    </Text>
  );
}
