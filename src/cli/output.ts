import type { Command } from 'commander';
import { visibleLine } from '../base/visible-text.ts';
import { print, printJson } from './print.ts';
import { HELP_WIDTH, terminalWidth, wrap } from './terminal.ts';

/** Options of a command that `withOutput` has extended. */
export interface OutputOptions {
  readonly json?: boolean;
  readonly plain?: boolean;
}

/** A command's result in its three output formats. */
interface Shown {
  readonly json: unknown;
  /** For people. */
  readonly text: string;
  /** The single value that a script needs. */
  readonly plain?: string;
}

/** The narrowest last column that is worth wrapping within. */
const LAST_COLUMN = 24;

/** Adds `--json` and, if the result has a single value for scripts, `--plain`. */
export function withOutput(command: Command, plain?: string): Command {
  command.option('--json', 'print one JSON document and nothing else');
  if (plain !== undefined) command.option('--plain', `print only ${plain}`);
  return command;
}

/** Adds paragraphs and examples below the options in the command's help. Examples keep their lines, to be copied. */
export function withNotes(command: Command, notes: readonly string[], ...examples: readonly string[]): Command {
  return command.addHelpText('after', () => {
    const width = Math.min(terminalWidth(), HELP_WIDTH);
    const paragraphs = notes.map((note) => `\n${wrap(note, width).join('\n')}`);
    return [...paragraphs, '', ...examples.map((example) => `Example: ${example}`)].join('\n');
  });
}

/** Prints the result of a command: as text, as JSON, or its single value. */
export function show(options: OutputOptions, shown: Shown): void {
  if (options.json) printJson(shown.json);
  else if (options.plain && shown.plain !== undefined) print(shown.plain);
  else print(shown.text);
}

/** Prints to standard error, so that a pipe gets only results; prints nothing with `--json`. */
export function inform(options: OutputOptions, message: string): void {
  if (!options.json) print(message, process.stderr);
}

/**
 * Formats a table with a heading; columns are as wide as their widest cell. If the terminal is too narrow, the last
 * column is wrapped, or each row starts a line with its first cell and indents the others below it.
 */
export function table(
  heading: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
  width: number = terminalWidth(),
): string {
  const cells = [heading, ...rows.map((row) => row.map((cell) => (cell === null ? '-' : visibleLine(String(cell)))))];
  const widths = heading.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const indent = widths.slice(0, -1).reduce((sum, one) => sum + one + 2, 0);
  if (indent + (widths.at(-1) ?? 0) > width && width - indent < LAST_COLUMN) {
    return cells.map(([first = '', ...rest]) => hang(first, rest.join('  '), 2, width)).join('\n');
  }
  return cells
    .map((row) => {
      const begin = row.slice(0, -1).map((cell, column) => cell.padEnd(widths[column] ?? 0));
      const [last = '', ...more] = wrapCell(row.at(-1) ?? '', width - indent);
      const line = [...begin, last].join('  ').trimEnd();
      return [line, ...more.map((text) => ' '.repeat(indent) + text)].join('\n');
    })
    .join('\n');
}

/** Puts a text below a first line, indented and wrapped. */
export function hang(first: string, text: string, indent: number, width: number): string {
  return [first, ...wrap(text, width - indent).map((line) => ' '.repeat(indent) + line)].join('\n');
}

function wrapCell(cell: string, width: number): string[] {
  return cell.length <= width ? [cell] : wrap(cell, width);
}
