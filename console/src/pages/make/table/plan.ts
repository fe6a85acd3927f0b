import type { JsonValue } from '@darkroom-service/contract';
import { brokenRules } from '../../../api/constraints.ts';
import { type CatalogModel, mediaParameter, type Values, valuesThatFit } from '../../../api/model.ts';
import { fieldLabel } from '../../../texts/studio-labels.ts';
import { type BatchEntry, entryName } from './batch-body.ts';
import type { Axis } from './draft.ts';

/** A part of a table that a model does not accept. */
export interface PlanNote {
  readonly model: CatalogModel;
  readonly text: string;
  /** Number of orders that are left out because of it. */
  readonly leftOut: number;
}

/** The orders of a table, and the reasons why others are left out. */
export interface Plan {
  readonly entries: readonly BatchEntry[];
  /** The model of each entry. */
  readonly models: readonly CatalogModel[];
  readonly notes: readonly PlanNote[];
}

interface PlanInput {
  readonly prompts: readonly string[];
  readonly models: readonly CatalogModel[];
  readonly seeds: readonly number[];
  readonly axes: readonly Axis[];
  readonly leftOut: ReadonlySet<string>;
}

interface Row {
  readonly prompt: string;
  readonly choices: readonly { readonly name: string; readonly text: string; readonly isFirst: boolean }[];
  readonly seed: number | null;
}

/** Returns one order for each combination that its model accepts. */
export function planTable({ prompts, models, seeds, axes, leftOut }: PlanInput): Plan {
  const rows = rowsOf(prompts, axes, seeds);
  const notes = new Map<string, PlanNote>();
  const entries: BatchEntry[] = [];
  const chosen: CatalogModel[] = [];
  rows.forEach((row, index) => {
    models.forEach((model, column) => {
      const note = (text: string, count: number) => {
        const known = notes.get(`${model.model_id} ${text}`);
        notes.set(`${model.model_id} ${text}`, { model, text, leftOut: (known?.leftOut ?? 0) + count });
      };
      const values = valuesFor(model, row, note);
      if (values === null) return;
      const broken = brokenRules(model, values)[0];
      if (broken !== undefined) {
        note(broken.message, 1);
        return;
      }
      const body = { model_id: model.model_id, ...values };
      if (leftOut.has(JSON.stringify(body))) return;
      chosen.push(model);
      entries.push({
        name: entryName(index, column, model.model_id, row.seed, rows.length),
        operation: model.type === 'video' ? 'videos' : 'images',
        body,
      });
    });
  });
  return { entries, models: chosen, notes: [...notes.values()] };
}

/** Returns the number of orders before any is left out. */
export function countCells({ prompts, models, seeds, axes }: Omit<PlanInput, 'leftOut'>): number {
  const values = axes.reduce((product, axis) => product * Math.max(1, axis.values.length), 1);
  return prompts.length * models.length * Math.max(1, seeds.length) * values;
}

function rowsOf(prompts: readonly string[], axes: readonly Axis[], seeds: readonly number[]): readonly Row[] {
  let rows: readonly Row[] = prompts.map((prompt) => ({ prompt, choices: [], seed: null }));
  for (const { name, values } of axes)
    rows = rows.flatMap((row) =>
      values.map((text, place) => ({ ...row, choices: [...row.choices, { name, text, isFirst: place === 0 }] })),
    );
  return seeds.length === 0 ? rows : rows.flatMap((row) => seeds.map((seed) => ({ ...row, seed })));
}

/** Returns the values of a row for a model; null if the model does not accept the row. */
function valuesFor(model: CatalogModel, row: Row, note: (text: string, leftOut: number) => void): Values | null {
  const values: Record<string, JsonValue> = { prompt: row.prompt };
  for (const { name, text, isFirst } of row.choices) {
    if (model.parameters[name] === undefined) {
      note(`has no ${fieldLabel(name).toLowerCase()}: made once, without it`, 0);
      if (!isFirst) return null;
      continue;
    }
    const value = readValue(model, name, text);
    if (value === undefined) {
      note(`does not accept ${fieldLabel(name).toLowerCase()} ${text}`, 1);
      return null;
    }
    values[name] = value;
  }
  if (row.seed !== null && model.parameters.seed === undefined) note('accepts no seed: its results are random', 0);
  else if (row.seed !== null) {
    if (!('seed' in valuesThatFit({ seed: row.seed }, model))) {
      note(`does not accept seed ${row.seed}`, 1);
      return null;
    }
    values.seed = row.seed;
  }
  return values;
}

/** Parses a typed value in the type of the parameter; undefined if the model does not accept it. */
function readValue(model: CatalogModel, name: string, text: string): JsonValue | undefined {
  const schema = model.parameters[name] ?? {};
  if (schema.enum !== undefined) return schema.enum.find((option) => String(option) === text);
  if (mediaParameter(model, name)?.list === true) return [text];
  if (schema.type === 'array' || schema.type === 'object') return readJson(text, schema.type);
  const isNumber = schema.type === 'integer' || schema.type === 'number';
  const value = isNumber ? Number(text) : schema.type === 'boolean' ? text === 'true' : text;
  if (isNumber && (Number.isNaN(value) || (schema.type === 'integer' && !Number.isInteger(value)))) return undefined;
  return valuesThatFit({ [name]: value }, model)[name];
}

function readJson(text: string, type: 'array' | 'object'): JsonValue | undefined {
  try {
    const value = JSON.parse(text) as JsonValue;
    const isWanted = typeof value === 'object' && value !== null && Array.isArray(value) === (type === 'array');
    return isWanted ? value : undefined;
  } catch {
    return undefined;
  }
}

const CHOICE = /\{([^{}]*\|[^{}]*)\}/;

/**
 * Returns the prompts of a text: one per line, and one for each combination of its choices, such as `{dawn|dusk}`.
 * Braces without a bar stay as they are.
 * @param most stops one prompt after this number, so that a long template does not block the page
 */
export function expandPrompts(text: string, most: number): readonly string[] {
  const found = new Set<string>();
  const left = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .reverse();
  for (let line = left.pop(); line !== undefined && found.size <= most; line = left.pop()) {
    const [whole = '', choices] = CHOICE.exec(line) ?? [];
    if (choices === undefined) found.add(line.replace(/\s+/g, ' '));
    else for (const choice of choices.split('|').reverse()) left.push(line.replace(whole, () => choice.trim()).trim());
  }
  return [...found].filter((prompt) => prompt !== '');
}
