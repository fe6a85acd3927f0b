import classes from './bars.module.css';

/** A part of every column, such as the orders that failed. */
interface Part {
  readonly label: string;
  readonly color: string;
}

/** A column: its name, and the values of its parts from the bottom to the top. */
interface Column {
  readonly name: string;
  readonly values: readonly number[];
}

/** Steps of a scale whose halves are whole numbers as well, but for the first. */
const STEPS = [1, 2, 4, 6, 8, 10];
/** Height of the smallest value above zero, in pixels. */
const LEAST = 2;

/** Columns of values over time, as wide as their place. Pointing at a column tells its values. */
export function Bars({
  label,
  parts,
  columns,
  format,
  formatScale = format,
  height,
  hasScale = false,
}: {
  /** Text for screen readers. */
  readonly label: string;
  readonly parts: readonly Part[];
  readonly columns: readonly Column[];
  readonly format: (value: number) => string;
  readonly formatScale?: (value: number) => string;
  /** In pixels. */
  readonly height: number;
  /** Whether the chart has lines with their values, and names of columns below it. */
  readonly hasScale?: boolean;
}) {
  const highest = Math.max(0, ...columns.map(({ values }) => values.reduce((sum, value) => sum + value, 0)));
  const top = hasScale ? roundUp(highest) : highest || 1;
  const gap = columns.length > 10 ? 0.25 : 0.6;
  const drawing = (
    <svg
      className={classes.bars}
      viewBox={`0 0 ${columns.length} ${height}`}
      height={height}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {columns.map(({ name, values }, place) => {
        let above = height;
        return (
          <g key={name}>
            <title>{`${name}: ${parts.map((part, at) => `${format(values[at] ?? 0)} ${part.label}`).join(', ')}`}</title>
            <rect className={classes.place} x={place} width={1} height={height} />
            {parts.map((part, at) => {
              const value = values[at] ?? 0;
              const tall = value > 0 ? Math.max(LEAST, (value / top) * height) : 0;
              above -= tall;
              return (
                <rect key={part.label} x={place + gap / 2} y={above} width={1 - gap} height={tall} fill={part.color} />
              );
            })}
          </g>
        );
      })}
    </svg>
  );
  if (!hasScale) return drawing;
  const shown = [0, Math.floor((columns.length - 1) / 2), columns.length - 1];
  return (
    <div className={classes.chart}>
      <div className={`${classes.scale} figures`} aria-hidden="true">
        {(Number.isInteger(top) && top % 2 === 1 ? [top, 0] : [top, top / 2, 0]).map((value) => (
          <span key={value}>{formatScale(value)}</span>
        ))}
      </div>
      {drawing}
      <div className={classes.names} aria-hidden="true">
        {shown.map((place) => (
          <span key={place}>{columns[place]?.name}</span>
        ))}
      </div>
    </div>
  );
}

/** Returns the next value at which a scale can end: `0.034` -> `0.04`, `17` -> `20`. */
function roundUp(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return Number(((STEPS.find((step) => step * power >= value) ?? 10) * power).toPrecision(3));
}
