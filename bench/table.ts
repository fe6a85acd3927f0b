/** Prints a heading with a blank line before it. */
export function heading(text: string): void {
  console.log(`\n${text}`);
}

/** Prints a table in Markdown, so that it can be copied into the documentation as it is. */
export function printTable(title: string, columns: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = columns.map((column, place) => Math.max(column.length, ...rows.map((row) => row[place]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, place) => cell.padEnd(widths[place] ?? 0)).join(' | ')} |`;
  heading(title);
  console.log(`\n${line(columns)}`);
  console.log(`|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`);
  for (const row of rows) console.log(line(row));
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
