import type { Command } from 'commander';

export interface OutputOptions {
  readonly json?: boolean;
  readonly plain?: boolean;
}

/** A command's result in its three output formats. */
export interface Shown {
  readonly json: unknown;
  /** For people. */
  readonly text: string;
  /** The single value that a script needs. */
  readonly plain?: string;
}

/** Adds `--json` and, if the result has a single value for scripts, `--plain`. */
export function withOutput(command: Command, plain?: string): Command {
  command.option('--json', 'print one JSON document and nothing else');
  if (plain !== undefined) command.option('--plain', `print ${plain} alone`);
  return command;
}

export function show(options: OutputOptions, shown: Shown): void {
  if (options.json) printLine(JSON.stringify(shown.json, null, 2));
  else if (options.plain && shown.plain !== undefined) printLine(shown.plain);
  else printLine(shown.text);
}

/** Prints to standard error, so that a pipe gets only results; prints nothing with `--json`. */
export function tell(options: OutputOptions, message: string): void {
  if (!options.json) process.stderr.write(`${message}\n`);
}

/** Formats a table with a heading; columns are as wide as their widest cell. */
export function table(heading: readonly string[], rows: readonly (readonly (string | number | null)[])[]): string {
  const cells = [heading, ...rows.map((row) => row.map((cell) => (cell === null ? '-' : String(cell))))];
  const widths = heading.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  return cells
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function printLine(text: string): void {
  if (text !== '') process.stdout.write(`${text}\n`);
}
