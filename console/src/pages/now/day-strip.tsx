import { Skeleton } from '@mantine/core';
import { useState } from 'react';
import type { DataOf } from '../../api/operations.ts';
import { useApi } from '../../api/use-api.ts';
import { AsSeen } from '../../components/as-seen.tsx';
import { Bars } from '../../components/bars.tsx';
import { SmallButton } from '../../components/buttons.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Hint, Small } from '../../components/words.tsx';
import { formatCount, formatSeconds, formatShare, formatTime } from '../../format.ts';
import { type DayRow, dayRows } from './day-rows.ts';
import classes from './day-strip.module.css';

const HEIGHT = 22;
/** Number of upstreams shown at first. */
const SHOWN = 3;
const EVERY_MS = 60_000;
type Hours = DataOf<'GET /admin/v1/engines/hours'>['items'];

/** The live orders of the last 24 hours by upstream, which show since when something is other than before. */
export function DayStrip() {
  const hours = useApi('GET /admin/v1/engines/hours', {}, { every: EVERY_MS });
  return (
    <section className={classes.day} aria-label="Last 24 hours">
      <AsSeen of={hours} placeholder={<Skeleton h={96} aria-hidden="true" />}>
        {({ items }) => <Rows hours={items} />}
      </AsSeen>
    </section>
  );
}

function Rows({ hours }: { readonly hours: Hours }) {
  const [showsAll, setShowsAll] = useState(false);
  const rows = dayRows(hours, Date.now());
  if (rows.length === 0) return <Hint p="sm">No live order within the last 24 hours.</Hint>;
  return (
    <>
      <DataTable
        label="Last 24 hours"
        rows={showsAll ? rows : rows.slice(0, SHOWN)}
        rowKey={({ name }) => name}
        columns={[
          { head: 'Last 24 hours', phone: 'title', cell: ({ name }) => name },
          {
            head: 'Orders',
            cell: (row) => (
              <Strip row={row} of="orders" color="var(--accent)" format={formatCount} value={row.sums.orders} />
            ),
          },
          {
            head: 'Failed',
            cell: (row) => (
              <Strip
                row={row}
                of="failed"
                color="var(--mantine-color-error)"
                format={formatCount}
                value={row.sums.failed}
                more={failedWords(row)}
              />
            ),
          },
          {
            head: 'Mean time',
            cell: (row) => (
              <Strip row={row} of="seconds" color="var(--quiet)" format={formatSeconds} value={row.sums.seconds} />
            ),
          },
        ]}
      />
      {rows.length > SHOWN && (
        <SmallButton m="xs" variant="subtle" onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? 'Show fewer' : `Show all ${rows.length}`}
        </SmallButton>
      )}
    </>
  );
}

function Strip({
  row: { name, hours, ...values },
  of,
  color,
  format,
  value,
  more,
}: {
  readonly row: DayRow;
  readonly of: 'orders' | 'failed' | 'seconds';
  readonly color: string;
  readonly format: (value: number) => string;
  readonly value: number | null;
  readonly more?: string | undefined;
}) {
  const told = value === null ? '–' : format(value);
  return (
    <div className={classes.strip}>
      <Bars
        label={`${name}, ${of} by hour: ${told}`}
        parts={[{ label: of === 'seconds' ? '' : of, color }]}
        columns={hours.map((hour, place) => ({ name: formatTime(hour), values: [values[of][place] ?? 0] }))}
        format={format}
        height={HEIGHT}
      />
      <span className="figures">{told}</span>
      {more !== undefined && <Small>{more}</Small>}
    </div>
  );
}

/** Formats the share of the orders that failed, and since when most of them do. */
function failedWords({ sums: { failed, succeeded }, failsSince }: DayRow): string | undefined {
  if (failed === 0) return undefined;
  const share = formatShare(failed / (failed + succeeded));
  return failsSince === null ? share : `${share}, most since ${formatTime(failsSince)}`;
}
