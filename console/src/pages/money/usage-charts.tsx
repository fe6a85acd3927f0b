import { Group } from '@mantine/core';
import { Bars } from '../../components/bars.tsx';
import { Panel } from '../../components/panel.tsx';
import { formatCount, formatDay, formatDollars, formatScaleDollars } from '../../format.ts';
import classes from './usage.module.css';
import type { UsageSum } from './usage-figures.ts';

const HEIGHT = 190;
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
  const spent = sums.reduce((total, sum) => total + sum.spent, 0);
  return (
    <div className={classes.charts}>
      <Panel title="Spent per day" hint={`The last ${sums.length} days, by the day of the order (UTC)`}>
        <Bars
          label={`Spent per day: ${formatDollars(spent)}`}
          parts={[{ label: 'spent', color: 'var(--accent)' }]}
          columns={sums.map((sum) => ({ name: formatDay(sum.name), values: [sum.spent] }))}
          format={formatDollars}
          formatScale={formatScaleDollars}
          height={HEIGHT}
          hasScale
        />
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
        <Bars
          label="Orders per day"
          parts={shown.map(({ label, color }) => ({ label: label.toLowerCase(), color }))}
          columns={sums.map((sum) => ({ name: formatDay(sum.name), values: shown.map(({ name }) => sum[name]) }))}
          format={formatCount}
          height={HEIGHT}
          hasScale
        />
      </Panel>
    </div>
  );
}

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
