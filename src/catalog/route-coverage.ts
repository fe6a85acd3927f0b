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
  const unmet = Object.keys(route.when ?? {}).filter((name) => {
    const condition = route.when?.[name];
    return condition !== undefined && !holds({ [name]: condition }, lookUp);
  });
  if (unmet.length > 0) return unmet.map((name) => unsupportedField(name, lookUp, request));
  const asked = sentFields(model, request);
  const without = asked.filter((name) => route.without?.includes(name));
  if (without.length > 0) return without.map((name) => cannotPassOn(name));
  if (route.parameters === undefined) return [];
  // An action differs from a plain create: a route serves it only if its `when` names it.
  if (request.action !== null && route.when?.action === undefined) return [unsupportedField('action', lookUp, request)];
  const rules = knownRulesOf(route.parameters).filter(({ rule }) => holds(rule.when, lookUp));
  const untranslated = rules.filter((named) => 'unsupported' in readRule(named, lookUp));
  if (untranslated.length > 0) {
    return untranslated.flatMap(({ sources }) => sources.map((name) => unsupportedField(name, lookUp, request)));
  }
  const covered = new Set([...Object.keys(route.when ?? {}), ...(route.covers ?? []), ...rules.flatMap(alsoExpressed)]);
  return asked
    .filter((name) => !covered.has(name) && !isExpressed(name, rules, lookUp))
    .map((name) => cannotPassOn(name));
}

/** The rules of the catalog's maps, which are the same for every order. */
const rulesOfMaps = new WeakMap<RouteMap, readonly NamedRule[]>();

function knownRulesOf(map: RouteMap): readonly NamedRule[] {
  const known = rulesOfMaps.get(map) ?? rulesOf(map);
  rulesOfMaps.set(map, known);
  return known;
}

/** Returns the fields whose value differs from the default. */
function sentFields(model: Model, request: ResolvedRequest): string[] {
  const { fields, actions } = model.compiled;
  const defaults = (actions.get(request.action as ActionName) ?? fields).defaults;
  return Object.entries(request.values).flatMap(([name, value]) =>
    name !== SINGLE_VALUED && differsFromDefault(value, defaults[name] ?? null) ? [name] : [],
  );
}

/** Same as `isPresent`, except that `false` counts as sent if the default is `true`. */
function differsFromDefault(value: JsonValue, standard: JsonValue): boolean {
  return isPresent(value, standard) || (value === false && standard === true);
}

/** Returns fields expressed by a rule's condition, or by a value derived from them. */
function alsoExpressed({ sources, rule }: NamedRule): string[] {
  return [...Object.keys(rule.when ?? {}), ...sources.flatMap((name) => ALSO_EXPRESSES[name] ?? [])];
}

/** Tells whether a field is expressed by one rule as a whole, beside another field, or item by item by several. */
function isExpressed(name: string, rules: readonly NamedRule[], lookUp: LookUp): boolean {
  const readings = rules.filter(({ sources }) => sources.includes(name)).map((named) => readRule(named, lookUp));
  if (readings.some((result) => !('unsupported' in result) && result.items === null)) return true;
  if (rules.some((named) => named.beside.includes(name) && 'to' in readRule(named, lookUp))) return true;
  const items = new Set(readings.flatMap((result) => ('unsupported' in result ? [] : (result.items ?? []))));
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
