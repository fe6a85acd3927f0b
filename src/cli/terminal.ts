import { type Environment, readEnvironment } from '../service/config/environment.ts';

/** Maximum width of help, in columns. */
export const HELP_WIDTH = 80;

/** The width of the terminal in columns; infinite if standard output is none, so that a pipe gets whole lines. */
export function terminalWidth(
  stream: Pick<NodeJS.WriteStream, 'columns'> = process.stdout,
  { COLUMNS = '' }: Environment = readEnvironment(),
): number {
  if (/^[1-9]\d{0,4}$/.test(COLUMNS)) return Number(COLUMNS);
  return stream.columns || Number.POSITIVE_INFINITY;
}

/** Breaks a text into lines at spaces. A longer word stays whole, so that an id or a URL can be copied. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const [, gap = '', word = ''] of text.matchAll(/( *)(\S+)/g)) {
    if (line === '') line = word;
    else if (line.length + gap.length + word.length <= width) line += gap + word;
    else {
      lines.push(line);
      line = word;
    }
  }
  return line === '' ? lines : [...lines, line];
}
