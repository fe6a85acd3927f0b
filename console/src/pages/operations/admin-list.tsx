import { Button, Group, Skeleton, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Panel } from '../../components/panel.tsx';
import { operationsTexts } from '../../texts/operations.ts';
import type { useAdminPages } from './use-admin-pages.ts';

/** A panel with a list of the admin API, page by page; its heading stays while it loads, fails or is empty. */
export function AdminList<Row>({
  pages,
  title,
  hint,
  aside,
  empty,
  ...list
}: {
  readonly pages: Omit<ReturnType<typeof useAdminPages>, 'items'> & { readonly items: Row[] | undefined };
  readonly title: string;
  readonly hint?: ReactNode;
  readonly aside?: ReactNode;
  /** What an empty list means. */
  readonly empty: string;
} & (
  | { readonly rowKey: (row: Row) => string; readonly columns: readonly Column<Row>[] }
  | { readonly children: (rows: Row[]) => ReactNode }
)) {
  const { items } = pages;
  return (
    <Panel title={title} hint={hint} aside={aside} flush>
      {pages.error !== null ? (
        <ErrorNote error={pages.error} onRetry={() => void pages.refetch()} />
      ) : items === undefined ? (
        <Skeleton h={120} m="md" w="auto" aria-hidden="true" />
      ) : items.length === 0 ? (
        <Text p="md" c="dimmed">
          {empty}
        </Text>
      ) : 'children' in list ? (
        list.children(items)
      ) : (
        <DataTable label={title} rows={items} rowKey={list.rowKey} columns={list.columns} />
      )}
      {pages.hasNextPage && (
        <Group justify="center" p="sm">
          <Button variant="default" loading={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
            {operationsTexts.more}
          </Button>
        </Group>
      )}
    </Panel>
  );
}
