import type { JsonValue } from '../base/canonical-json.ts';
import type { Fault } from '../base/errors.ts';
import type { ActionName } from './actions.ts';
import { compileModel } from './compiled-model.ts';
import { isPresent } from './condition.ts';
import type { Model, ResolvedRequest } from './model.ts';
import type { CatalogRoute } from './route-map.ts';
import { holds, type LookUp, lookUpIn, type NamedRule, readRule, rulesOf } from './route-values.ts';

/** What a value derived from others says of those. */
const SAYS_ALSO: Readonly<Record<string, readonly string[]>> = {
  width: ['size', 'aspect_ratio', 'resolution'],
  height: ['size', 'aspect_ratio', 'resolution'],
  output_seconds: ['duration'],
};
/** Which field a caller would change for a derived value: the first that was sent. */
const FIELDS_BEHIND: Readonly<Record<string, readonly string[]>> = {
  prompt_characters: ['prompt'],
  width: ['size', 'resolution', 'aspect_ratio'],
  height: ['size', 'resolution', 'aspect_ratio'],
  output_pixels: ['size', 'resolution', 'aspect_ratio'],
  output_seconds: ['duration'],
};
/** Only ever 1. */
const ALWAYS_SAID = 'num_images';

/**
 * What of a request a route cannot say: empty where it can make the order. A field that equals its default counts as not sent, but for a
 * value that the route says and has no word for.
 */
export function cannotSay(route: CatalogRoute, model: Model, request: ResolvedRequest): Fault[] {
  const lookUp = lookUpIn(request);
  const unmet = Object.keys(route.when ?? {}).filter((name) => {
    const condition = route.when?.[name];
    return condition !== undefined && !holds({ [name]: condition }, lookUp);
  });
  if (unmet.length > 0) return unmet.map((name) => unsayable(name, lookUp, request));
  const asked = sentFields(model, request);
  const without = asked.filter((name) => route.without?.includes(name));
  if (without.length > 0) return without.map((name) => unpassable(name));
  if (route.parameters === undefined) return [];
  // What an action does is no word of a plain create: a route serves it only if it says so.
  if (request.action !== null && route.when?.action === undefined) return [unsayable('action', lookUp, request)];
  const rules = rulesOf(route.parameters).filter(({ rule }) => holds(rule.when, lookUp));
  const wordless = rules.filter((named) => 'cannotSay' in readRule(named, lookUp));
  if (wordless.length > 0) {
    return wordless.flatMap(({ sources }) => sources.map((name) => unsayable(name, lookUp, request)));
  }
  const covered = new Set([...Object.keys(route.when ?? {}), ...(route.covers ?? []), ...rules.flatMap(alsoSaid)]);
  return asked.filter((name) => !covered.has(name) && !isSaid(name, rules, lookUp)).map((name) => unpassable(name));
}

/** The fields that say something else than what would hold without them. */
function sentFields(model: Model, request: ResolvedRequest): string[] {
  const { fields, actions } = compileModel(model);
  const defaults = (actions.get(request.action as ActionName) ?? fields).defaults;
  return Object.entries(request.values).flatMap(([name, value]) =>
    name !== ALWAYS_SAID && saysSomething(value, defaults[name] ?? null) ? [name] : [],
  );
}

/** As `isPresent`, but `false` where `true` would hold is a wish like any other. */
function saysSomething(value: JsonValue, standard: JsonValue): boolean {
  return isPresent(value, standard) || (value === false && standard === true);
}

/** Said by a rule's condition, or by a value that follows from the field. */
function alsoSaid({ sources, rule }: NamedRule): string[] {
  return [...Object.keys(rule.when ?? {}), ...sources.flatMap((name) => SAYS_ALSO[name] ?? [])];
}

/** By one rule as a whole, beside what another says, or item by item by several. */
function isSaid(name: string, rules: readonly NamedRule[], lookUp: LookUp): boolean {
  const readings = rules.filter(({ sources }) => sources.includes(name)).map((named) => readRule(named, lookUp));
  if (readings.some((said) => !('cannotSay' in said) && said.items === null)) return true;
  if (rules.some((named) => named.beside.includes(name) && 'to' in readRule(named, lookUp))) return true;
  const items = new Set(readings.flatMap((said) => ('cannotSay' in said ? [] : (said.items ?? []))));
  const value = lookUp(name);
  return Array.isArray(value) && value.every((_, index) => items.has(index));
}

function unpassable(name: string): Fault {
  return {
    param: name,
    code: 'unsupported_field',
    message: `${name} cannot be passed on to the engines that are configured here.`,
  };
}

/** A derived value is told by the media or the field it follows from, as far as one of them can be named. */
function unsayable(name: string, lookUp: LookUp, request: ResolvedRequest): Fault {
  const behind = FIELDS_BEHIND[name]?.find((field) => (request.values[field] ?? null) !== null);
  const isOwn = Object.hasOwn(request.values, name) || name === 'action';
  const param = isOwn ? name : (behind ?? request.media[0]?.field ?? name);
  const value = lookUp(name);
  const what = value === null ? `An order without ${name}` : `${name} ${JSON.stringify(value).slice(0, 60)}`;
  return {
    param,
    code: 'unsupported_value',
    message: `${what} cannot be had from the engines that are configured here.`,
  };
}
