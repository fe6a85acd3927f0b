import { type ErrorCode, type Fault, isBlank, type JsonObject, type JsonValue } from '@darkroom-service/contract';
import {
  type Condition,
  type Constraint,
  type DerivedValues,
  type FieldSet,
  holds,
  isPresent,
  lookUpIn,
  type Model,
  satisfies,
  showValue,
} from '@darkroom-service/contract/catalog';

/** The data that checks of a whole request use. */
export interface RequestToCheck {
  readonly set: FieldSet;
  readonly values: JsonObject;
  readonly derived: DerivedValues;
  readonly refused: ReadonlySet<string>;
}

/**
 * Checks the constraints of the entry. Skips a constraint that names a refused field, whose fault is already reported.
 */
export function checkConstraints(constraints: readonly Constraint[], request: RequestToCheck, faults: Fault[]): void {
  const lookUp = lookUpIn(request);
  const { defaults } = request.set;
  for (const constraint of constraints) {
    if (request.refused.size > 0 && namesRefused(constraint, request)) continue;
    if (!holds(constraint.when, lookUp, defaults)) continue;
    for (const name in constraint.then) {
      const condition = constraint.then[name] as Condition;
      const value = lookUp(name);
      if (satisfies(condition, value, isPresent(value, defaults[name]))) continue;
      faults.push({
        param: fieldBehind(name, request),
        code: 'unsupported_value',
        message: withFinding(constraint.message, name, value),
      });
      break;
    }
  }
}

/** Reports the fields that `missingFields` found. */
export function reportMissing(model: Model, set: FieldSet, missing: readonly string[], faults: Fault[]): void {
  const others =
    model.required.length > 1 ? ` Send ${model.required.map((list) => list.join(' with ')).join(', or ')}.` : '';
  for (const name of missing) {
    const code: ErrorCode =
      name === 'prompt'
        ? 'missing_prompt'
        : set.media.some((field) => field.name === name)
          ? 'missing_reference'
          : 'invalid_request';
    faults.push({
      param: name,
      code,
      message: `${model.model_id} requires ${name}, which is missing or empty.${others}`,
    });
  }
}

/**
 * Returns the fields missing in the list of `required` that lacks the fewest; empty if one list is complete. A refused
 * field counts as given.
 */
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

/** Reports pairs of fields that conflict. */
export function checkConflicts({ set, values }: RequestToCheck, faults: Fault[]): void {
  for (const { name, other, what } of set.conflicts) {
    if (!doConflict(name, other, set, values)) continue;
    faults.push({
      param: name,
      code: 'unsupported_value',
      message: `${name} and ${other} both set ${what}. Send only one of them.`,
    });
  }
}

/** Tells whether a body has fields that conflict, whatever its other fields are. */
export function hasConflict(set: FieldSet, body: JsonObject): boolean {
  return set.conflicts.some(({ name, other }) => doConflict(name, other, set, body));
}

function doConflict(name: string, other: string, { defaults }: FieldSet, values: JsonObject): boolean {
  if (values[name] === 'auto' || !isPresent(values[name], defaults[name])) return false;
  return isPresent(values[other], defaults[other]);
}

function isGiven(value: JsonValue | undefined): boolean {
  if (typeof value === 'string') return !isBlank(value);
  return isPresent(value);
}

function namesRefused(constraint: Constraint, request: RequestToCheck): boolean {
  const names = [...Object.keys(constraint.when ?? {}), ...Object.keys(constraint.then)];
  return names.some((name) => request.refused.has(name) || !Object.hasOwn(request.values, name));
}

/** Returns the field that a caller would change in order to change a derived value. */
function fieldBehind(name: string, { set, values }: RequestToCheck): string | null {
  const isSent = (field: string) => isPresent(values[field], set.defaults[field]);
  if (Object.hasOwn(values, name)) return name;
  const list = set.lists.find((one) => one.countName === name || name.startsWith(`${one.name}_seconds`));
  if (list !== undefined) return list.name;
  const kind = /^(image|video|audio)_|^media_count$|^mode$/.exec(name);
  if (kind !== null)
    return (
      set.media.find((field) => (kind[1] === undefined || field.kind === kind[1]) && isSent(field.name))?.name ?? null
    );
  if (name.includes('seconds')) return Object.hasOwn(values, 'duration') ? 'duration' : null;
  return ['size', 'width', 'aspect_ratio', 'resolution'].find((field) => isSent(field)) ?? null;
}

function withFinding(message: string, name: string, value: JsonValue): string {
  const sentence = /[.!?]$/.test(message) ? message : `${message}.`;
  return value === null ? `${sentence} Found no ${name}.` : `${sentence} Found ${name} ${showValue(value)}.`;
}
