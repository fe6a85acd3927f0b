import { Table } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import classes from './data-table.module.css';
import { useRowKeys } from './use-row-keys.ts';

export interface Column<Row> {
  readonly head: string;
  readonly cell: (row: Row) => ReactNode;
  /** Aligns numbers at the end, so that they can be compared. */
  readonly numeric?: boolean;
  /** Buttons at the end of a row. Only screen readers read their heading. */
  readonly actions?: boolean;
  /**
   * The position in the card on a phone: the title, the end of the title's line, or small text below, with its heading
   * (`fact`) or without (`note`). Default: `fact` for a number, otherwise a separate line after the heading.
   */
  readonly phone?: 'title' | 'aside' | 'note' | 'fact';
  /** Width in a dense table, such as `12%`; absent = an equal part of the rest. */
  readonly width?: string;
  /** Returns the value by which the rows can be sorted; absent = they cannot. */
  readonly sortBy?: (row: Row) => string | number;
}

/** Width of a page on a large phone, and of a readable column, in pixels. */
const PHONE = 736;
const COLUMN = 115;

/** A table; where its columns do not fit, each row is a card. */
export function DataTable<Row>({
  label,
  columns,
  rows,
  rowKey,
  isDense = false,
}: {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  /** Whether each row is one line: what does not fit is cut. The keys `j` and `k` move between the links of rows. */
  readonly isDense?: boolean;
}) {
  const classOf = ({ numeric, actions }: Column<Row>) =>
    numeric === true ? classes.numeric : actions === true ? classes.actions : undefined;
  const { ref, width } = useElementSize<HTMLDivElement>();
  const hasRoom = (width === 0 ? window.innerWidth : width) > Math.max(PHONE, columns.length * COLUMN);
  const [order, setOrder] = useState<{ readonly head: string; readonly isDown: boolean } | null>(null);
  useRowKeys(label, isDense);
  const sortBy = columns.find(({ head }) => head === order?.head)?.sortBy;
  const shown = sortBy === undefined ? rows : rows.toSorted((one, other) => compare(sortBy(one), sortBy(other)));
  return (
    <div ref={ref}>
      <Table
        aria-label={label}
        className={`${classes.table} ${hasRoom ? (isDense ? classes.dense : '') : classes.cards}`}
        verticalSpacing={isDense ? 1 : 10}
        horizontalSpacing={isDense ? 'xs' : 'md'}
      >
        {isDense && hasRoom && (
          <colgroup>
            {columns.map(({ head, width }) => (
              <col key={head} style={width === undefined ? undefined : { width }} />
            ))}
          </colgroup>
        )}
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <Table.Th
                key={column.head}
                className={classOf(column) ?? ''}
                scope="col"
                aria-sort={order?.head !== column.head ? undefined : order.isDown ? 'descending' : 'ascending'}
              >
                {column.sortBy === undefined ? (
                  <span className={column.actions === true ? 'visually-hidden' : undefined}>{column.head}</span>
                ) : (
                  <button
                    type="button"
                    className={classes.sort}
                    onClick={() => setOrder(nextOrder(order, column.head))}
                  >
                    {column.head}
                    {order?.head === column.head && <span aria-hidden="true">{order.isDown ? ' ↓' : ' ↑'}</span>}
                  </button>
                )}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {(order?.isDown === true ? shown.toReversed() : shown).map((row) => (
            <Table.Tr key={rowKey(row)}>
              {columns.map((column) => (
                <Table.Td
                  key={column.head}
                  className={classOf(column) ?? ''}
                  data-head={column.head}
                  data-phone={column.phone ?? (column.numeric === true ? 'fact' : undefined)}
                >
                  {column.cell(row)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

/** Returns the order after a press of a heading: ascending, descending, as the rows came. */
function nextOrder(before: { readonly head: string; readonly isDown: boolean } | null, head: string) {
  if (before?.head !== head) return { head, isDown: false };
  return before.isDown ? null : { head, isDown: true };
}

function compare(one: string | number, other: string | number): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  return String(one).localeCompare(String(other));
}
