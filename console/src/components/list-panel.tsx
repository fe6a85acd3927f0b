import { Group, Skeleton, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useDeed } from '../api/deeds.ts';
import { frameTexts } from '../texts/frame.ts';
import { AsSeen, type Sight } from './as-seen.tsx';
import { PlainButton, SmallButton } from './buttons.ts';
import { type Column, DataTable } from './data-table.tsx';
import { DeedForm, DialogAbout } from './dialog.tsx';
import { ErrorNote } from './error-note.tsx';
import { Panel } from './panel.tsx';

interface Pages<Row> extends Omit<Sight<unknown>, 'data'> {
  readonly items: readonly Row[] | undefined;
  /** Returns the unique id of a row. */
  readonly idOf: (row: Row) => string;
  readonly hasNextPage?: boolean;
  readonly isFetchingNextPage?: boolean;
  readonly fetchNextPage?: () => unknown;
}

/** A deed for a row: done at once, or in a dialog. */
export type RowDeed<Row> = {
  readonly word: string;
  /** Accessible name of its button, which distinguishes it from the ones of other rows. */
  readonly name: (row: Row) => string;
  /** Tells whether the deed is offered for a row; absent = for all rows. */
  readonly isOffered?: (row: Row) => boolean;
} & (
  | {
      readonly act: (row: Row) => Promise<unknown>;
      /** Title of an error: `The key was not changed`. */
      readonly failed: string;
      /** Whether the deed is the most urgent one for such a row. */
      readonly isMain?: boolean;
      /** Warning of a dialog that asks first, for a deed that cannot be undone. */
      readonly says?: string;
    }
  | {
      /** Title of the dialog; absent = its button's name. */
      readonly title?: (row: Row) => string;
      readonly form: (row: Row) => ReactNode;
    }
);

/** Converts a list that is read with one request to `Pages`. @param idOf returns the unique id of a row */
export function singlePage<Row>(
  { data, error, dataUpdatedAt, refetch }: Sight<{ readonly items: readonly Row[] }>,
  idOf: (row: NoInfer<Row>) => string,
): Pages<Row> {
  return { items: data?.items, error, dataUpdatedAt, refetch, idOf };
}

/**
 * A panel with a list of the API. Its heading stays while the list loads, fails or is empty, and an open dialog stays
 * when its row is gone.
 */
export function ListPanel<Row>({
  pages,
  title,
  hint,
  aside,
  above,
  deedsForAll,
  empty,
  more = frameTexts.more,
  deeds = [],
  told,
  deedsOnPhone,
  isDense = false,
  ...list
}: {
  readonly pages: Pages<Row>;
  readonly title: string;
  readonly hint?: ReactNode;
  readonly aside?: ReactNode;
  /** Filters, or an error of a change to the list. */
  readonly above?: ReactNode;
  /** Deeds for all rows, which are off while the rows are not up to date. */
  readonly deedsForAll?: ReactNode;
  /** Text for an empty list. */
  readonly empty: string;
  /** Label of the button that loads the next page. */
  readonly more?: string;
  /** Deeds for a row; false ones are not offered to this session. */
  readonly deeds?: readonly (RowDeed<NoInfer<Row>> | false)[];
  /** Returns a note beside the deeds of a row, such as that it is done. */
  readonly told?: (row: NoInfer<Row>) => ReactNode;
  /** Position of their buttons in the card on a phone, if not on a line of their own. */
  readonly deedsOnPhone?: 'aside' | 'note';
  /** Whether each row is one line. */
  readonly isDense?: boolean;
} & (
  | { readonly columns: readonly Column<NoInfer<Row>>[] }
  | { readonly children: (rows: readonly Row[]) => ReactNode }
)) {
  const { items } = pages;
  const [asked, setAsked] = useState<{ readonly row: Row; readonly entry: RowDeed<Row> } | null>(null);
  const offered = deeds.filter((entry) => entry !== false);
  const action = useDeed(({ row, entry }: { readonly row: Row; readonly entry: RowDeed<Row> }) =>
    'act' in entry ? entry.act(row) : Promise.resolve(),
  );
  const last = action.variables;
  const failed = last !== undefined && 'act' in last.entry ? last.entry.failed : undefined;
  const buttons: Column<Row> = {
    head: 'Actions',
    actions: true,
    ...(deedsOnPhone === undefined ? {} : { phone: deedsOnPhone }),
    cell: (row) => (
      <Group gap={6} wrap="nowrap" justify="flex-end">
        {told?.(row)}
        {offered
          .filter(({ isOffered }) => isOffered?.(row) ?? true)
          .map((entry) => (
            <SmallButton
              key={entry.word}
              aria-label={entry.name(row)}
              variant={'act' in entry && entry.isMain === true ? 'filled' : 'default'}
              loading={action.isPending && last?.row === row && last.entry.word === entry.word}
              onClick={() =>
                'form' in entry || entry.says !== undefined ? setAsked({ row, entry }) : action.mutate({ row, entry })
              }
            >
              {entry.word}
            </SmallButton>
          ))}
      </Group>
    ),
  };
  return (
    <Panel title={title} hint={hint} aside={aside} flush>
      {above}
      <ErrorNote title={failed} error={action.error} />
      <AsSeen of={{ ...pages, data: items }} placeholder={<Skeleton h={120} m="md" w="auto" aria-hidden="true" />}>
        {(rows) => (
          <>
            {deedsForAll}
            {rows.length === 0 ? (
              <Text p="md" c="dimmed" role="status">
                {empty}
              </Text>
            ) : 'children' in list ? (
              list.children(rows)
            ) : (
              <DataTable
                label={title}
                rows={rows}
                rowKey={pages.idOf}
                isDense={isDense}
                columns={offered.length === 0 && told === undefined ? list.columns : [...list.columns, buttons]}
              />
            )}
          </>
        )}
      </AsSeen>
      {pages.hasNextPage === true && (
        <Group justify="center" p="sm">
          <PlainButton loading={pages.isFetchingNextPage === true} onClick={() => void pages.fetchNextPage?.()}>
            {more}
          </PlainButton>
        </Group>
      )}
      <DialogAbout
        about={asked}
        title={({ row, entry }) => ('form' in entry ? (entry.title ?? entry.name)(row) : `${entry.name(row)}?`)}
        onClose={() => setAsked(null)}
      >
        {({ row, entry }) =>
          'form' in entry ? (
            entry.form(row)
          ) : (
            <DeedForm act={() => entry.act(row)} submit={entry.word} failed={entry.failed} isGrave>
              <Text size="sm">{entry.says}</Text>
            </DeedForm>
          )
        }
      </DialogAbout>
    </Panel>
  );
}
