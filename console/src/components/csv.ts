type Cell = string | number | null | undefined;

/** Mark without which Excel reads UTF-8 in the system's own encoding. */
const BYTE_ORDER_MARK = '\ufeff';
/** Pattern of numbers that lose digits in spreadsheets, which store 15 of them. */
const LONG_NUMBER = /^-?(?:\D*\d){16}/;

/**
 * Formats a table as CSV for spreadsheets (RFC 4180), with a byte order mark. An apostrophe before a value keeps it a
 * text: one that would be treated as a formula, or a number that would lose digits.
 */
export function csvOf(heads: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return BYTE_ORDER_MARK + [heads, ...rows].map((row) => `${row.map(cellOf).join(',')}\r\n`).join('');
}

function cellOf(cell: Cell): string {
  const text = String(cell ?? '');
  const isNumber = /^-?\d+(\.\d+)?$/.test(text);
  const isText = isNumber ? LONG_NUMBER.test(text) : /^[=+\-@\t\r]/.test(text);
  const safe = isText ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
