import { Group, Skeleton, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { frameTexts } from '../texts/frame.ts';
import { PlainButton } from './buttons.ts';
import { type Column, DataTable } from './data-table.tsx';
import { ErrorNote } from './error-note.tsx';
import { Panel } from './panel.tsx';

interface Pages<Row> {
  readonly items: readonly Row[] | undefined;
  readonly error: Error | null;
  readonly refetch: () => unknown;
  readonly hasNextPage?: boolean;
  readonly isFetchingNextPage?: boolean;
  readonly fetchNextPage?: () => unknown;
}

/** A list that is read at once. */
export function atOnce<Row>({
  data,
  error,
  refetch,
}: Omit<Pages<Row>, 'items'> & { readonly data: { readonly items: readonly Row[] } | undefined }): Pages<Row> {
  return { items: data?.items, error, refetch };
}

/** A panel with a list of the interface. Its heading stays while the list loads, fails or is empty. */
export function ListPanel<Row>({
  pages,
  title,
  hint,
  aside,
  above,
  empty,
  more = frameTexts.more,
  ...list
}: {
  readonly pages: Pages<Row>;
  readonly title: string;
  readonly hint?: ReactNode;
  readonly aside?: ReactNode;
  /** Filters, or why a change of the list was not made. */
  readonly above?: ReactNode;
  /** What an empty list means. */
  readonly empty: string;
  /** The label of the button that reads on. */
  readonly more?: string;
} & (
  | { readonly rowKey: (row: Row) => string; readonly columns: readonly Column<Row>[] }
  | { readonly children: (rows: readonly Row[]) => ReactNode }
)) {
  const { items } = pages;
  return (
    <Panel title={title} hint={hint} aside={aside} flush>
      {above}
      {pages.error !== null ? (
        <ErrorNote error={pages.error} onRetry={() => void pages.refetch()} />
      ) : items === undefined ? (
        <Skeleton h={120} m="md" w="auto" aria-hidden="true" />
      ) : items.length === 0 ? (
        <Text p="md" c="dimmed" role="status">
          {empty}
        </Text>
      ) : 'children' in list ? (
        list.children(items)
      ) : (
        <DataTable label={title} rows={items} rowKey={list.rowKey} columns={list.columns} />
      )}
      {pages.hasNextPage === true && (
        <Group justify="center" p="sm">
          <PlainButton loading={pages.isFetchingNextPage === true} onClick={() => void pages.fetchNextPage?.()}>
            {more}
          </PlainButton>
        </Group>
      )}
    </Panel>
  );
}
