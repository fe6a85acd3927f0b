import { DataTable } from '../../../components/data-table.tsx';
import { Margin, Money } from '../../../components/money.tsx';
import { formatCount, formatSeconds, formatShare } from '../../../format.ts';
import { trendsTexts } from '../../../texts/trends.ts';
import { type HistoryPoint, stepName, type TrendSpan } from './history-figures.ts';
import classes from './trends.module.css';

const { heads, none, table, tableOf } = trendsTexts;

/** The figures of the plots, behind a disclosure; the latest first. */
export function TrendTable({
  engine,
  points,
  span,
}: {
  readonly engine: string;
  readonly points: readonly HistoryPoint[];
  readonly span: TrendSpan;
}) {
  const fact = (head: string, cell: (point: HistoryPoint) => string) =>
    ({ head, phone: 'fact', numeric: true, cell }) as const;
  const seconds = (value: number | null) => (value === null ? none : formatSeconds(value));
  return (
    <details className={classes.table}>
      <summary>{table}</summary>
      <div className={classes.scroll}>
        <DataTable
          label={tableOf(engine)}
          rows={points.toReversed()}
          rowKey={(point) => point.at}
          columns={[
            { head: heads.at, phone: 'title', cell: (point) => stepName(point.at, span) },
            fact(heads.succeeded, (point) => formatCount(point.succeeded)),
            fact(heads.failed, (point) => formatCount(point.failed)),
            fact(heads.refused, (point) => formatCount(point.refused)),
            fact(heads.success, (point) => (point.success === null ? none : formatShare(point.success))),
            fact(heads.p50, (point) => seconds(point.p50_seconds)),
            fact(heads.p95, (point) => seconds(point.p95_seconds)),
            fact(heads.underWay, (point) => formatCount(point.under_way)),
            fact(heads.rateLimits, (point) => formatCount(point.rate_limits)),
            fact(heads.outages, (point) => formatCount(point.outages)),
            { head: heads.revenue, phone: 'fact', numeric: true, cell: (point) => <Money amount={point.revenue} /> },
            { head: heads.cost, phone: 'fact', numeric: true, cell: (point) => <Money amount={point.cost} /> },
            { head: heads.margin, phone: 'fact', numeric: true, cell: (point) => <Margin amount={point.margin} /> },
          ]}
        />
      </div>
    </details>
  );
}
