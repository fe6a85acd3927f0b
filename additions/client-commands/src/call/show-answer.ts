import { isJsonObject, type JsonObject } from '@darkroom-service/contract';
import { type OutputOptions, show, table } from '@darkroom-service/darkroom/kernel-cli';

/** The most columns of a table of answers that no command was written for. */
const MOST_COLUMNS = 6;
/** The characters of a value that a cell shows. */
const MOST_SHOWN = 48;

/** Shows the data of any answer: entries as a table, an object as lines of its fields. */
export function showAnswer(options: OutputOptions, data: unknown): void {
  if (!isJsonObject(data)) show(options, { json: data, text: data === null ? 'Done.' : shownValue(data) });
  else if (Array.isArray(data.items)) showList(options, data, data.items.filter(isJsonObject));
  else show(options, { json: data, text: linesOf(data), plain: idOf(data) });
}

function showList(options: OutputOptions, data: JsonObject, items: readonly JsonObject[]): void {
  const { items: _, ...rest } = data;
  const text = [tableOf(items), linesOf(rest)].filter((part) => part !== '').join('\n\n');
  show(options, { json: data, text, plain: items.map(idOf).join('\n') });
}

function tableOf(items: readonly JsonObject[]): string {
  const keys = [...new Set(items.flatMap((item) => Object.keys(item)))];
  const columns = keys.filter((key) => items.some((item) => !isEmpty(item[key]) && isScalar(item[key])));
  const shown = columns.slice(0, MOST_COLUMNS);
  if (shown.length === 0) return 'Nothing found.';
  return table(
    shown.map((key) => key.toUpperCase().replaceAll('_', ' ')),
    items.map((item) => shown.map((key) => (isEmpty(item[key]) ? null : shortened(shownValue(item[key]))))),
  );
}

function linesOf(object: JsonObject): string {
  return Object.entries(object)
    .filter(([, value]) => !isEmpty(value))
    .map(([key, value]) => `${key}: ${shownValue(value)}`)
    .join('\n');
}

function idOf(object: JsonObject): string {
  const [, id = ''] = Object.entries(object).find(([key]) => key === 'id' || key.endsWith('_id')) ?? [];
  return String(id);
}

function shownValue(value: unknown): string {
  return isScalar(value) ? String(value) : JSON.stringify(value);
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object';
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}

function shortened(text: string): string {
  return text.length <= MOST_SHOWN ? text : `${text.slice(0, MOST_SHOWN - 1)}…`;
}
