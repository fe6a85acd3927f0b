import type { Command } from 'commander';

export interface OutputOptions {
  readonly json?: boolean;
  readonly plain?: boolean;
}

/** What a command found out, in the three ways it can be shown. */
export interface Shown {
  readonly json: unknown;
  /** For people. */
  readonly text: string;
  /** The one thing a script wants. */
  readonly plain?: string;
}

/** Adds `--json` and, where a command has one thing that a script wants, `--plain`. */
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

/** To people only: nothing with `--json`, and on standard error so that a pipe gets results alone. */
export function tell(options: OutputOptions, message: string): void {
  if (!options.json) process.stderr.write(`${message}\n`);
}

/** Columns as wide as their widest cell, with a heading. */
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
