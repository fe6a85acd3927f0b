import { BarChart } from '@mantine/charts';
import '@mantine/charts/styles.layer.css';
import { Group } from '@mantine/core';
import { Panel } from '../../components/panel.tsx';
import { formatCount, formatDay } from '../../format.ts';
import { locale } from '../../texts/locale.ts';
import classes from './usage.module.css';
import { formatDollars, type UsageSum } from './usage-figures.ts';

const HEIGHT = 220;
const OUTCOMES = [
  { name: 'succeeded', label: 'Succeeded', color: 'var(--good)' },
  { name: 'failed', label: 'Failed', color: 'var(--mantine-color-error)' },
  { name: 'canceled', label: 'Canceled', color: 'var(--quiet)' },
  { name: 'open', label: 'In progress', color: 'var(--accent)' },
] as const;

/** Spending and results by day as charts, with the numbers for screen readers. */
export function UsageCharts({ sums }: { readonly sums: readonly UsageSum[] }) {
  const shown = OUTCOMES.map((outcome) => ({
    ...outcome,
    total: sums.reduce((total, sum) => total + sum[outcome.name], 0),
  })).filter(({ total }) => total > 0);
  const data = sums.map((sum) => ({ ...sum, day: formatDay(sum.name) }));
  const spent = sums.reduce((total, sum) => total + sum.spent, 0);
  return (
    <div className={classes.charts}>
      <Panel title="Spent per day" hint={`The last ${sums.length} days, by the day of the order (UTC)`}>
        <div role="img" aria-label={`Spent per day: ${formatDollars(spent)}`}>
          <BarChart
            h={HEIGHT}
            data={data}
            dataKey="day"
            series={[{ name: 'spent', label: 'Spent', color: 'var(--accent)' }]}
            valueFormatter={formatDollars}
            {...shared}
            yAxisProps={{ width: 56, tickFormatter: formatAxisDollars }}
          />
        </div>
        <Numbers sums={sums} />
      </Panel>
      <Panel
        title="Orders per day"
        hint={
          <Group gap="md" component="span">
            {shown.map(({ name, color, label, total }) => (
              <span key={name} className={classes.entry}>
                <span className={classes.swatch} style={{ background: color }} aria-hidden="true" />
                {label} <b className="figures">{formatCount(total)}</b>
              </span>
            ))}
          </Group>
        }
      >
        <div role="img" aria-label="Orders per day">
          <BarChart
            h={HEIGHT}
            data={data}
            dataKey="day"
            type="stacked"
            series={shown.map(({ name, color, label }) => ({ name, label, color }))}
            valueFormatter={formatCount}
            {...shared}
            yAxisProps={{ width: 56, allowDecimals: false, tickFormatter: formatCount }}
          />
        </div>
      </Panel>
    </div>
  );
}

const shared = {
  tickLine: 'none',
  gridAxis: 'x',
  barProps: { radius: 3, isAnimationActive: false },
  maxBarWidth: 28,
  xAxisProps: { minTickGap: 24, interval: 'equidistantPreserveStart' },
  // Leaves space for the highest label, which would be shifted otherwise.
  barChartProps: { margin: { top: 14, right: 4, bottom: 0, left: 0 } },
} as const;

function Numbers({ sums }: { readonly sums: readonly UsageSum[] }) {
  return (
    <table className="visually-hidden">
      <caption>Spent per day</caption>
      <thead>
        <tr>
          <th scope="col">Day</th>
          <th scope="col">Spent</th>
          <th scope="col">Orders</th>
        </tr>
      </thead>
      <tbody>
        {sums
          .filter((sum) => sum.orders > 0)
          .map((sum) => (
            <tr key={sum.name}>
              <th scope="row">{formatDay(sum.name)}</th>
              <td>{formatDollars(sum.spent)}</td>
              <td>{formatCount(sum.orders)}</td>
            </tr>
          ))}
      </tbody>
    </table>
  );
}

function formatAxisDollars(dollars: number): string {
  return dollars.toLocaleString(locale, {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: 0,
    maximumFractionDigits: dollars >= 10 ? 0 : 6,
  });
}
