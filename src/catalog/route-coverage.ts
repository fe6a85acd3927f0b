import { cutText, type Fault, type JsonValue } from '@darkroom-service/contract';
import {
  type ActionName,
  type CatalogRoute,
  holds,
  isPresent,
  type LookUp,
  lookUpIn,
  type Model,
  type NamedRule,
  type ResolvedRequest,
  type RouteMap,
  readRule,
  rulesOf,
} from '@darkroom-service/contract/catalog';

/** The fields that a derived value also expresses. */
const ALSO_EXPRESSES: Readonly<Record<string, readonly string[]>> = {
  width: ['size', 'aspect_ratio', 'resolution'],
  height: ['size', 'aspect_ratio', 'resolution'],
  output_seconds: ['duration'],
};
/** The field that a caller would change for a derived value: the first that was sent. */
const FIELDS_BEHIND: Readonly<Record<string, readonly string[]>> = {
  prompt_characters: ['prompt'],
  width: ['size', 'resolution', 'aspect_ratio'],
  height: ['size', 'resolution', 'aspect_ratio'],
  output_pixels: ['size', 'resolution', 'aspect_ratio'],
  output_seconds: ['duration'],
};
/** Name of the field whose only value is 1. */
const SINGLE_VALUED = 'num_images';

/**
 * Returns faults for the parts of a request that a route cannot express; empty if it can make the order. A field equal
 * to its default counts as not sent, unless the route translates the field but not this value.
 */
export function unsupportedFields(route: CatalogRoute, model: Model, request: ResolvedRequest): Fault[] {
  const lookUp = lookUpIn(request);
  if (!holds(route.when, lookUp))
    return unmetNames(route, lookUp).map((name) => unsupportedField(name, lookUp, request));
  const asked = sentFields(model, request);
  const without = asked.filter((name) => route.without?.includes(name));
  if (without.length > 0) return without.map((name) => cannotPassOn(name));
  if (route.parameters === undefined) return [];
  // An action differs from a plain create: a route serves it only if its `when` names it.
  if (request.action !== null && route.when?.action === undefined) return [unsupportedField('action', lookUp, request)];
  const readings = readRules(route.parameters, lookUp);
  const untranslated = readings.filter(({ result }) => 'unsupported' in result);
  if (untranslated.length > 0)
    return untranslated.flatMap(({ named }) => named.sources.map((name) => unsupportedField(name, lookUp, request)));
  return asked
    .filter((name) => !isCovered(name, route, readings) && !isExpressed(name, readings, lookUp))
    .map((name) => cannotPassOn(name));
}

/** Returns the names of the conditions of a route that do not hold. */
function unmetNames({ when = {} }: CatalogRoute, lookUp: LookUp): string[] {
  return Object.entries(when).flatMap(([name, condition]) => (holds({ [name]: condition }, lookUp) ? [] : [name]));
}

/** A rule that applies to a request, and its result. */
interface Reading {
  readonly named: NamedRule;
  readonly result: ReturnType<typeof readRule>;
}

function readRules(map: RouteMap, lookUp: LookUp): Reading[] {
  const readings: Reading[] = [];
  for (const named of rulesOf(map))
    if (holds(named.rule.when, lookUp)) readings.push({ named, result: readRule(named, lookUp) });
  return readings;
}

/** Returns the fields whose value differs from the default. */
function sentFields(model: Model, request: ResolvedRequest): string[] {
  const { fields, actions } = model.compiled;
  const defaults = (actions.get(request.action as ActionName) ?? fields).defaults;
  const sent: string[] = [];
  for (const name in request.values) {
    const value = request.values[name] as JsonValue;
    if (name !== SINGLE_VALUED && differsFromDefault(value, defaults[name] ?? null)) sent.push(name);
  }
  return sent;
}

/** Same as `isPresent`, except that `false` counts as sent if the default is `true`. */
function differsFromDefault(value: JsonValue, standard: JsonValue): boolean {
  return isPresent(value, standard) || (value === false && standard === true);
}

/** Tells whether a route names a field, or a rule expresses it by its condition or by a value derived from it. */
function isCovered(name: string, { when = {}, covers }: CatalogRoute, readings: readonly Reading[]): boolean {
  if (Object.hasOwn(when, name) || covers?.includes(name) === true) return true;
  return readings.some(
    ({ named: { sources, rule } }) =>
      (rule.when !== undefined && Object.hasOwn(rule.when, name)) ||
      sources.some((source) => ALSO_EXPRESSES[source]?.includes(name)),
  );
}

/** Tells whether a field is expressed by one rule as a whole, beside another field, or item by item by several. */
function isExpressed(name: string, readings: readonly Reading[], lookUp: LookUp): boolean {
  const items = new Set<number>();
  for (const { named, result } of readings) {
    if (named.beside.includes(name) && 'to' in result) return true;
    if (!named.sources.includes(name) || 'unsupported' in result) continue;
    if (result.items === null) return true;
    for (const item of result.items) items.add(item);
  }
  const value = lookUp(name);
  return Array.isArray(value) && value.every((_, index) => items.has(index));
}

function cannotPassOn(name: string): Fault {
  return {
    param: name,
    code: 'unsupported_field',
    message: `No configured engine supports ${name}. Remove it.`,
  };
}

/** Names the media or field that a derived value depends on, if one can be found. */
function unsupportedField(name: string, lookUp: LookUp, request: ResolvedRequest): Fault {
  const behind = FIELDS_BEHIND[name]?.find((field) => (request.values[field] ?? null) !== null);
  const isOwn = Object.hasOwn(request.values, name) || name === 'action';
  const param = isOwn ? name : (behind ?? request.media[0]?.field ?? name);
  const value = lookUp(name);
  const what = value === null ? `an order without ${name}` : `${name} ${cutText(JSON.stringify(value), 60)}`;
  return {
    param,
    code: 'unsupported_value',
    message: `No configured engine supports ${what}.`,
  };
}
