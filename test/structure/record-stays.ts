import { appendFileSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'rolldown/parseAst';

/**
 * Preload that writes each stay of the five ways to the file `WAYS_LOG`: one line `way \t file \t function` for each
 * call. A stay is a named function of ours that gets the value, or an object with a property that is the value, as an
 * argument or as `this`.
 */
export type WayName = 'order' | 'price' | 'task' | 'result' | 'webhook';

/** The prompts by which the values of an order and of a price are found. */
export const ORDER_PROMPT = 'the way of an order';
export const PRICE_PROMPT = 'the way of a price';

const ROOT = process.env.WAYS_ROOT ?? '';
const LOG = process.env.WAYS_LOG ?? '';

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

type Value = Readonly<Record<string, unknown>>;

const IS_VALUE: Readonly<Record<WayName, (value: Value) => boolean>> = {
  // The body, the resolved request, and the row before it is claimed.
  order: (value) => hasPrompt(value, ORDER_PROMPT) && (value.worker ?? null) === null,
  // The body, the resolved request, the price and its lines.
  price: (value) => hasPrompt(value, PRICE_PROMPT) || isPriced(value),
  // The row from the claim on.
  task: (value) => typeof value.fence === 'number' && typeof value.step === 'string' && (value.worker ?? null) !== null,
  // What the engine delivered, and what of it was stored.
  result: (value) =>
    isDelivery(value) || ('source' in value && 'tiles' in value) || ('sha256' in value && 'fps' in value),
  // The row of the delivery.
  webhook: (value) => typeof value.id === 'string' && value.id.startsWith('whd_') && 'url' in value,
};

function hasPrompt(value: Value, prompt: string): boolean {
  if (value.prompt === prompt) return true;
  if (typeof value.input_json === 'string') return value.input_json.includes(prompt);
  const { values } = value;
  return typeof values === 'object' && values !== null && (values as Value).prompt === prompt;
}

function isPriced(value: Value): boolean {
  return Array.isArray(value.lines) && /^(number|string)$/.test(typeof value.amount);
}

function isDelivery(value: Value): boolean {
  const { outputs } = value;
  return Array.isArray(outputs) && outputs.length > 0 && ('source' in outputs[0] || 'sha256' in outputs[0]);
}

function holds(value: unknown, isValue: (value: Value) => boolean): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (isValue(value as Value)) return true;
  for (const { value: held } of Object.values(Object.getOwnPropertyDescriptors(value)))
    if (typeof held === 'object' && held !== null && isValue(held)) return true;
  return false;
}

function recordStay(name: string, values: readonly unknown[]): void {
  for (const [way, isValue] of Object.entries(IS_VALUE))
    if (values.some((value) => holds(value, isValue))) appendFileSync(LOG, `${way}\t${name}\n`);
}

/** Puts a call of `recordStay` at the beginning of each named function. */
function instrument(source: string, file: string): string {
  const inserts: { readonly at: number; readonly text: string }[] = [];
  visit(parseAst(source, { lang: 'ts' }) as unknown as Node, null, 0);
  let result = source;
  for (const { at, text } of inserts.sort((one, other) => other.at - one.at))
    result = result.slice(0, at) + text + result.slice(at);
  return result;

  function visit(node: Node, name: string | null, depth: number): void {
    const isFunction = /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type);
    if (isFunction && node.body !== null) {
      const own = (node.id as { name?: string } | null)?.name ?? name;
      if (own !== null) record(node, own);
    }
    for (const [key, child] of Object.entries(node)) {
      for (const each of Array.isArray(child) ? child : [child]) {
        if (typeof each !== 'object' || each === null || !('type' in each)) continue;
        visit(each as Node, nameFor(node, key, depth), depth + (isFunction ? 1 : 0));
      }
    }
  }

  /** The name of a function that is the value of a node: a method, or a constant of the module. Callbacks have none. */
  function nameFor(node: Node, key: string, depth: number): string | null {
    if (node.type === 'MethodDefinition' && key === 'value') return nameOfKey(node.key as Node);
    if (node.type === 'Property' && key === 'value' && node.method === true) return nameOfKey(node.key as Node);
    if (node.type === 'VariableDeclarator' && key === 'init' && depth === 0) return (node.id as Node).name as string;
    return null;
  }

  function nameOfKey(key: Node): string {
    return String(key.name ?? key.value);
  }

  function record(node: Node, name: string): void {
    const body = node.body as Node;
    const label = JSON.stringify(`${file}\t${name}`);
    if (node.type === 'ArrowFunctionExpression') {
      const call = `globalThis.recordStay(${label}, [${(node.params as Node[]).flatMap(namesIn).join(', ')}])`;
      if (body.type === 'BlockStatement') inserts.push({ at: body.start + 1, text: `${call};` });
      else inserts.push({ at: body.start, text: `(${call}, ` }, { at: body.end, text: ')' });
      return;
    }
    const self = node.type === 'FunctionExpression' && name !== 'constructor' ? 'this, ' : '';
    inserts.push({ at: body.start + 1, text: `globalThis.recordStay(${label}, [${self}...arguments]);` });
  }

  function namesIn(pattern: Node): string[] {
    if (pattern.type === 'Identifier') return [pattern.name as string];
    if (pattern.type === 'AssignmentPattern') return namesIn(pattern.left as Node);
    if (pattern.type === 'RestElement') return namesIn(pattern.argument as Node);
    if (pattern.type === 'ArrayPattern')
      return (pattern.elements as (Node | null)[]).flatMap((one) => (one === null ? [] : namesIn(one)));
    return (pattern.properties as Node[]).flatMap((one) => namesIn((one.value ?? one.argument) as Node));
  }
}

if (ROOT !== '') {
  Object.assign(globalThis, { recordStay });
  const folders = ['src', 'packages', 'additions'].map((name) => join(ROOT, name) + sep);
  registerHooks({
    load(url, context, nextLoad) {
      if (!url.startsWith('file:') || !url.endsWith('.ts')) return nextLoad(url, context);
      const path = fileURLToPath(url);
      if (!folders.some((folder) => path.startsWith(folder))) return nextLoad(url, context);
      const source = instrument(readFileSync(path, 'utf8'), relative(ROOT, path));
      return { format: 'module-typescript', source, shortCircuit: true };
    },
  });
}
