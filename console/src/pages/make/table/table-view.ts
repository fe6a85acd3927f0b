import type { TaskView as Task } from '@darkroom-service/contract/task';
import { fieldLabel } from '../../../texts/studio-labels.ts';
import { settingText, type TableLayout, type TableRow } from './table-layout.ts';

/** The table as it is shown: any field that varies can be the one of its columns. */
export interface TableView {
  readonly columns: readonly { readonly index: number; readonly heading: string }[];
  readonly rows: readonly TableRow[];
}

/** Stands for the model among the fields that columns can be of. */
export const MODEL = 'model_id';

/** Returns the fields that the columns can be of; the first is the one to begin with. */
export function axesOf(layout: TableLayout): readonly string[] {
  const { columns, varying } = layout;
  const [last] = varying.slice(-1);
  // One model alone would be one long column.
  const isBetter = columns.length === 1 && last !== undefined && isFull(viewOf(layout, last, String));
  return isBetter ? [last, ...varying.slice(0, -1), MODEL] : [MODEL, ...varying];
}

/**
 * Returns a table with a column for each value of a field, and a row for each combination of the rest.
 * @param nameOf the name of a model
 */
export function viewOf(layout: TableLayout, across: string, nameOf: (modelId: string) => string): TableView {
  if (across === MODEL) {
    const columns = layout.columns.map(({ index, modelId }) => ({ index, heading: nameOf(modelId) }));
    return { columns, rows: layout.rows };
  }
  const isManyModels = layout.columns.length > 1;
  const others = layout.varying.filter((name) => name !== across);
  const values: string[] = [];
  const rows = new Map<string, { prompt: string | null; settings: readonly string[]; tasks: (Task | undefined)[] }>();
  for (const { task, column } of placedOf(layout)) {
    const value = textOf(task, across);
    if (!values.includes(value)) values.push(value);
    const at = values.indexOf(value);
    const words = others.filter((name) => name !== 'prompt' && task.input[name] != null);
    const settings = [
      ...(isManyModels ? [nameOf(task.model_id)] : []),
      ...words.map((name) => settingText(name, task.input[name])),
    ];
    const prompt = others.includes('prompt') ? String(task.input.prompt ?? '') : null;
    const key = JSON.stringify([column, prompt, settings]);
    // Two of the same settings stand below one another.
    let copy = 0;
    while (rows.get(`${key} ${copy}`)?.tasks[at] !== undefined) copy += 1;
    const row = rows.get(`${key} ${copy}`) ?? { prompt, settings, tasks: [] };
    row.tasks[at] = task;
    rows.set(`${key} ${copy}`, row);
  }
  return {
    columns: values.map((heading, index) => ({ index, heading })),
    rows: [...rows.values()].map((row, index) => ({ ...row, index, tasks: values.map((_, at) => row.tasks[at]) })),
  };
}

/** Returns what a field is called where one is chosen. */
export function axisLabel(name: string): string {
  return name === MODEL ? fieldLabel('model') : fieldLabel(name);
}

function placedOf({ rows }: TableLayout): readonly { readonly task: Task; readonly column: number }[] {
  return rows.flatMap(({ tasks }) => tasks.flatMap((task, column) => (task === undefined ? [] : [{ task, column }])));
}

function textOf({ input }: Task, name: string): string {
  const value = input[name];
  if (value == null) return '–';
  return name === 'prompt' ? String(value) : settingText(name, value);
}

function isFull({ rows }: TableView): boolean {
  return rows.every(({ tasks }) => tasks.every((task) => task !== undefined));
}
