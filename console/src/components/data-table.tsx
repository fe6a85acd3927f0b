import { Table } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import type { ReactNode } from 'react';
import classes from './data-table.module.css';

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
}: {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
}) {
  const classOf = ({ numeric, actions }: Column<Row>) =>
    numeric === true ? classes.numeric : actions === true ? classes.actions : undefined;
  const { ref, width } = useElementSize<HTMLDivElement>();
  const hasRoom = (width === 0 ? window.innerWidth : width) > Math.max(PHONE, columns.length * COLUMN);
  return (
    <div ref={ref}>
      <Table
        aria-label={label}
        className={`${classes.table} ${hasRoom ? '' : classes.cards}`}
        verticalSpacing={10}
        horizontalSpacing="md"
      >
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <Table.Th key={column.head} className={classOf(column) ?? ''} scope="col">
                <span className={column.actions === true ? 'visually-hidden' : undefined}>{column.head}</span>
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
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
