import type { JsonObject, JsonValue } from '../base/canonical-json.ts';
import type { ErrorCode, Fault } from '../base/errors.ts';
import type { FieldSet } from './compiled-model.ts';
import { isPresent, meets, satisfies } from './condition.ts';
import { showValue } from './describe-schema.ts';
import type { Condition, Constraint } from './entry-schema.ts';
import type { DerivedValues, Model } from './model.ts';

/** What the checks of a whole request look at. */
export interface Together {
  readonly set: FieldSet;
  readonly values: JsonObject;
  readonly derived: DerivedValues;
  readonly refused: ReadonlySet<string>;
}

/** The constraints of the entry. One that names a refused field is left out: its fault is told already. */
export function checkConstraints(constraints: readonly Constraint[], request: Together, faults: Fault[]): void {
  for (const constraint of constraints) {
    if (request.refused.size > 0 && namesRefused(constraint, request)) continue;
    if (!allMeet(constraint.when, request)) continue;
    for (const name in constraint.then) {
      const condition = constraint.then[name] as Condition;
      const value = lookUp(name, request);
      if (satisfies(condition, value, isPresentIn(name, value, request))) continue;
      faults.push({
        param: fieldBehind(name, request),
        code: 'unsupported_value',
        message: withFinding(constraint.message, name, value),
      });
      break;
    }
  }
}

/** One of the lists of `required` must be there in full; else the list that lacks least is asked for. */
export function checkRequired(model: Model, request: Together, faults: Fault[]): void {
  const missing = missingFields(model.required, request.values, request.refused);
  if (missing.length === 0) return;
  const others =
    model.required.length > 1 ? ` It needs ${model.required.map((list) => list.join(' with ')).join(', or ')}.` : '';
  for (const name of missing) {
    const code: ErrorCode =
      name === 'prompt'
        ? 'missing_prompt'
        : request.set.media.some((field) => field.name === name)
          ? 'missing_reference'
          : 'invalid_request';
    faults.push({ param: name, code, message: `${model.model_id} needs ${name}, which is missing or empty.${others}` });
  }
}

/** The fields that would complete the list of `required` that lacks least; none where one is complete. A refused field was given. */
export function missingFields(
  required: readonly (readonly string[])[],
  values: JsonObject,
  refused: ReadonlySet<string>,
): readonly string[] {
  let least: readonly string[] | null = null;
  for (const list of required) {
    const missing = list.filter((name) => !refused.has(name) && !isGiven(values[name]));
    if (missing.length === 0) return missing;
    if (least === null || missing.length < least.length) least = missing;
  }
  return least ?? [];
}

/** Two fields that say the same thing at once. */
export function checkDoubles(request: Together, faults: Fault[]): void {
  for (const { name, other, what } of request.set.doubles) {
    if (!isSent(name, request) || request.values[name] === 'auto' || !isSent(other, request)) continue;
    faults.push({
      param: name,
      code: 'unsupported_value',
      message: `${name} and ${other} both say ${what}: send one of them.`,
    });
  }
}

function isGiven(value: JsonValue | undefined): boolean {
  if (typeof value === 'string') return value.trim() !== '';
  return isPresent(value);
}

function isSent(name: string, request: Together): boolean {
  return isPresent(request.values[name], request.set.defaults[name] ?? null);
}

function allMeet(conditions: Constraint['when'], request: Together): boolean {
  if (conditions === undefined) return true;
  for (const name in conditions) {
    const value = lookUp(name, request);
    if (!meets(conditions[name] as Condition, value, isPresentIn(name, value, request))) return false;
  }
  return true;
}

function lookUp(name: string, request: Together): JsonValue {
  return request.values[name] ?? request.derived[name] ?? null;
}

function isPresentIn(name: string, value: JsonValue, request: Together): boolean {
  return isPresent(value, request.set.defaults[name] ?? null);
}

function namesRefused(constraint: Constraint, request: Together): boolean {
  const names = [...Object.keys(constraint.when ?? {}), ...Object.keys(constraint.then)];
  return names.some((name) => request.refused.has(name) || !Object.hasOwn(request.values, name));
}

/** The field a caller would change for a derived value. */
function fieldBehind(name: string, request: Together): string | null {
  const { values } = request;
  if (Object.hasOwn(values, name)) return name;
  const list = request.set.lists.find((one) => one.countName === name || name.startsWith(`${one.name}_seconds`));
  if (list !== undefined) return list.name;
  const kind = /^(image|video|audio)_|^media_count$|^mode$/.exec(name);
  if (kind !== null)
    return (
      request.set.media.find(
        (field) => (kind[1] === undefined || field.kind === kind[1]) && isSent(field.name, request),
      )?.name ?? null
    );
  if (name.includes('seconds')) return Object.hasOwn(values, 'duration') ? 'duration' : null;
  return ['size', 'width', 'aspect_ratio', 'resolution'].find((field) => isSent(field, request)) ?? null;
}

function withFinding(message: string, name: string, value: JsonValue): string {
  const sentence = /[.!?]$/.test(message) ? message : `${message}.`;
  return value === null ? `${sentence} Found no ${name}.` : `${sentence} Found ${name} ${showValue(value)}.`;
}
