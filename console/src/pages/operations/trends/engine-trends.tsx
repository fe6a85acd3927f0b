import { formatMoney } from '../../../components/money.tsx';
import { Panel } from '../../../components/panel.tsx';
import { formatCount, formatSeconds, formatShare } from '../../../format.ts';
import { trendsTexts } from '../../../texts/trends.ts';
import { type EngineHistory, formatDollars, stepName, sumOf, type TrendSpan } from './history-figures.ts';
import { Plot } from './plot.tsx';
import { TrendTable } from './trend-table.tsx';
import classes from './trends.module.css';

const texts = trendsTexts;

/** The plots of one engine, and their figures as a table. */
export function EngineTrends({ history, span }: { readonly history: EngineHistory; readonly span: TrendSpan }) {
  const { engine, points } = history;
  const sums = sumOf(points);
  const steps = points.map(({ at }) => stepName(at, span));
  const latest = (values: readonly (number | null)[]) => {
    const value = values.findLast((one) => one !== null) ?? null;
    return value === null ? texts.none : texts.latest(formatSeconds(value));
  };
  const p50 = points.map((point) => point.p50_seconds);
  const p95 = points.map((point) => point.p95_seconds);
  const underWay = points.map((point) => point.under_way);
  return (
    <Panel
      title={engine}
      hint={texts.outcome(formatCount(sums.succeeded), formatCount(sums.failed), formatCount(sums.refused))}
    >
      <div className={classes.plots}>
        <Plot
          title={texts.plots.success}
          steps={steps}
          format={formatShare}
          most={1}
          series={[
            {
              label: texts.series.success,
              values: points.map((point) => point.success),
              shape: 'line',
              color: 'var(--good)',
              total: sums.success === null ? texts.none : formatShare(sums.success),
            },
          ]}
        />
        <Plot
          title={texts.plots.seconds}
          steps={steps}
          format={formatSeconds}
          series={[
            {
              label: texts.series.p50,
              values: p50,
              shape: 'line',
              color: 'var(--accent)',
              total: latest(p50),
            },
            {
              label: texts.series.p95,
              values: p95,
              shape: 'dashes',
              color: 'var(--ink-soft)',
              total: latest(p95),
            },
          ]}
        />
        <Plot
          title={texts.plots.underWay}
          steps={steps}
          format={formatCount}
          series={[
            {
              label: texts.series.underWay,
              values: underWay,
              shape: 'bars',
              color: 'var(--accent)',
              total: formatCount(Math.max(0, ...underWay)),
            },
          ]}
        />
        <Plot
          title={texts.plots.events}
          steps={steps}
          format={formatCount}
          series={[
            {
              label: texts.series.rateLimits,
              values: points.map((point) => point.rate_limits),
              shape: 'bars',
              color: 'var(--ink-soft)',
              total: formatCount(sums.rateLimits),
            },
            {
              label: texts.series.outages,
              values: points.map((point) => point.outages),
              shape: 'bars',
              color: 'var(--mantine-color-error)',
              total: formatCount(sums.outages),
            },
          ]}
        />
        <Plot
          title={texts.plots.money}
          steps={steps}
          format={formatDollars}
          series={[
            {
              label: texts.series.revenue,
              values: points.map((point) => Number(point.revenue)),
              shape: 'line',
              color: 'var(--good)',
              total: formatMoney(sums.revenue),
            },
            {
              label: texts.series.cost,
              values: points.map((point) => Number(point.cost)),
              shape: 'dashes',
              color: 'var(--ink-soft)',
              total: formatMoney(sums.cost),
            },
            {
              label: texts.series.margin,
              values: points.map((point) => Number(point.margin)),
              shape: 'line',
              color: 'var(--accent)',
              total: formatMoney(sums.margin),
            },
          ]}
        />
      </div>
      <TrendTable engine={engine} points={points} span={span} />
    </Panel>
  );
}
