import classes from './trends.module.css';

/** One row of values, one a step; null where there is none. */
export interface PlotSeries {
  readonly label: string;
  readonly values: readonly (number | null)[];
  readonly shape: 'line' | 'dashes' | 'bars';
  readonly color: string;
  /** What the legend says of the whole span. */
  readonly total: string;
}

const WIDTH = 240;
const HEIGHT = 64;
/** So that a line at the edge is drawn whole. */
const MARGIN = 3;

/** A small plot. The table of the same figures is next to it. */
export function Plot({
  title,
  series,
  steps,
  format,
  most,
}: {
  readonly title: string;
  readonly series: readonly PlotSeries[];
  /** The name of each step. */
  readonly steps: readonly string[];
  readonly format: (value: number) => string;
  /** The upper end of the scale; absent = the greatest value. */
  readonly most?: number;
}) {
  const values = series.flatMap((one) => one.values).filter((value) => value !== null);
  const high = most ?? Math.max(0, ...values);
  const low = Math.min(0, ...values);
  const range = high - low || 1;
  const y = (value: number) => MARGIN + (1 - (value - low) / range) * (HEIGHT - 2 * MARGIN);
  const width = WIDTH / Math.max(1, steps.length);
  return (
    <figure className={classes.plot}>
      <figcaption className={classes.caption}>
        {title}
        <span className={classes.legend}>
          {series.map(({ label, color, shape, total }) => (
            <span key={label} className={classes.entry}>
              <span className={classes.swatch} data-shape={shape} style={{ color }} aria-hidden="true" />
              {label} <b className="figures">{total}</b>
            </span>
          ))}
        </span>
      </figcaption>
      <svg
        className={classes.drawing}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${title}: ${series.map(({ label, total }) => `${label} ${total}`).join(', ')}`}
      >
        <line x1={0} x2={WIDTH} y1={y(0)} y2={y(0)} className={classes.zero} />
        {series.map(({ label, values: row, shape, color }, place) =>
          shape === 'bars' ? (
            <path key={label} d={barsOf(row, { y, width, place, of: series.length })} fill={color} />
          ) : (
            <path key={label} d={lineOf(row, y, width)} stroke={color} data-shape={shape} className={classes.line} />
          ),
        )}
        {steps.map((step, index) => (
          <rect key={step} x={index * width} y={0} width={width} height={HEIGHT} className={classes.step}>
            <title>{titleOf(step, series, index, format)}</title>
          </rect>
        ))}
      </svg>
      <div className={classes.axis} aria-hidden="true">
        <span>{steps[0]}</span>
        <span className="figures">{values.length === 0 ? '' : `${format(low)} – ${format(high)}`}</span>
        <span>{steps.at(-1)}</span>
      </div>
    </figure>
  );
}

/** A value between two gaps is a dot. */
function lineOf(values: readonly (number | null)[], y: (value: number) => number, width: number): string {
  return values
    .map((value, index) => {
      if (value === null) return '';
      const place = `${((index + 0.5) * width).toFixed(1)} ${y(value).toFixed(1)}`;
      const before = values[index - 1] ?? null;
      return before === null ? `M${place}h0` : `L${place}`;
    })
    .join('');
}

/** The bars of several series stand side by side. */
function barsOf(
  values: readonly (number | null)[],
  {
    y,
    width,
    place,
    of,
  }: { readonly y: (value: number) => number; readonly width: number; readonly place: number; readonly of: number },
): string {
  const bar = (width * 0.76) / of;
  return values
    .map((value, index) => {
      if (value === null || value === 0) return '';
      const left = index * width + width * 0.12 + place * bar;
      return `M${left.toFixed(1)} ${y(0).toFixed(1)}V${y(value).toFixed(1)}h${bar.toFixed(1)}V${y(0).toFixed(1)}Z`;
    })
    .join('');
}

function titleOf(
  step: string,
  series: readonly PlotSeries[],
  index: number,
  format: (value: number) => string,
): string {
  const parts = series.flatMap(({ label, values }) => {
    const value = values[index] ?? null;
    return value === null ? [] : [`${label} ${format(value)}`];
  });
  return [step, ...parts].join(', ');
}
