import type { TaskView as Task } from '@darkroom-service/contract';
import { fieldLabel } from '../../../texts/studio-labels.ts';
import { placeOf } from './batch-body.ts';

/** A row of the table, defined by the values that its tasks share and other rows do not have. */
export interface TableRow {
  readonly index: number;
  /** The prompt, if it varies. */
  readonly prompt: string | null;
  /** Settings of the row, such as `Aspect ratio 16:9`, `seed 7`. */
  readonly settings: readonly string[];
  /** Tasks by column; undefined if nothing was ordered there or the task does not exist yet. */
  readonly tasks: readonly (Task | undefined)[];
}

interface TableColumn {
  readonly index: number;
  readonly modelId: string;
}

interface TableLayout {
  readonly columns: readonly TableColumn[];
  readonly rows: readonly TableRow[];
  /** The fields that differ within a column, the prompt first and the seed last. */
  readonly varying: readonly string[];
}

/** Arranges the tasks of a batch: a column for each model, a row for each combination of the other values. */
export function layOut(tasks: readonly Task[]): TableLayout {
  const placed = place(tasks);
  const columnCount = 1 + Math.max(-1, ...placed.map(({ column }) => column));
  const columns = Array.from({ length: columnCount }, (_, index) => {
    return { index, modelId: placed.find(({ column }) => column === index)?.task.model_id ?? '' };
  });
  const varying = varyingFields(placed, columnCount);
  const rows = [...Map.groupBy(placed, ({ row }) => row)]
    .sort(([left], [right]) => left - right)
    .map(([index, own]) => {
      const firstValue = (name: string) => own.map(({ task }) => task.input[name]).find((value) => value != null);
      const prompt = varying.includes('prompt') ? firstValue('prompt') : null;
      return {
        index,
        prompt: typeof prompt === 'string' ? prompt : null,
        settings: varying
          .filter((name) => name !== 'prompt')
          .flatMap((name) => {
            const value = firstValue(name);
            return value === undefined ? [] : [settingText(name, value)];
          }),
        tasks: columns.map(({ index: column }) => own.find((one) => one.column === column)?.task),
      };
    });
  return { columns, rows, varying };
}

/** Returns a setting in words: `seed 7`, `Aspect ratio 16:9`. */
function settingText(name: string, value: unknown): string {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  if (name === 'seed') return `seed ${text}`;
  return `${fieldLabel(name)} ${value === true ? 'yes' : value === false ? 'no' : text}`;
}

interface Placed {
  readonly task: Task;
  readonly row: number;
  readonly column: number;
}

/** Places tasks by their names; a batch that is not a table gets a column for each model. */
function place(tasks: readonly Task[]): readonly Placed[] {
  const places = tasks.map((task) => placeOf(task.batch_name));
  if (places.every((found) => found !== null)) return tasks.map((task, index) => ({ task, ...places[index]! }));
  const models = [...new Set(tasks.map(({ model_id: id }) => id))];
  const counts = new Map<string, number>();
  return tasks.map((task) => {
    const row = counts.get(task.model_id) ?? 0;
    counts.set(task.model_id, row + 1);
    return { task, row, column: models.indexOf(task.model_id) };
  });
}

/** Returns the fields that differ within a column, the prompt first and the seed last. */
function varyingFields(placed: readonly Placed[], columns: number): readonly string[] {
  const found = new Set<string>();
  for (let column = 0; column < columns; column++) {
    const inputs = placed.filter((one) => one.column === column).map(({ task }) => task.input);
    for (const name of new Set(inputs.flatMap(Object.keys)))
      if (new Set(inputs.map((input) => JSON.stringify(input[name] ?? null))).size > 1) found.add(name);
  }
  const rank = (name: string) => (name === 'prompt' ? -1 : name === 'seed' ? 1 : 0);
  return [...found].sort((left, right) => rank(left) - rank(right));
}

/** The table as shown: any field that varies can determine its columns. */
export interface TableView {
  readonly columns: readonly { readonly index: number; readonly heading: string }[];
  readonly rows: readonly TableRow[];
}

/** Name for the model among the fields that can determine the columns. */
export const MODEL = 'model_id';

/** Returns the fields that can determine the columns; the first one is the default. */
export function axesOf(layout: TableLayout): readonly string[] {
  const { columns, varying } = layout;
  const [last] = varying.slice(-1);
  // A single model would be one long column.
  const isBetter = columns.length === 1 && last !== undefined && isFull(viewOf(layout, last, String));
  return isBetter ? [last, ...varying.slice(0, -1), MODEL] : [MODEL, ...varying];
}

/**
 * Returns a table with a column for each value of a field, and a row for each combination of the others.
 * @param nameOf returns the name of a model
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
    // Two tasks with the same settings are placed one below the other.
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

/** Returns the label of a field in the choice of the columns. */
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
