import type { JsonObject, JsonValue } from '../json.ts';
import { isPresent, meets } from './condition.ts';
import type { Condition } from './condition-shape.ts';
import type { ResolvedRequest } from './model.ts';
import { readRatio } from './output-size.ts';
import type { RouteMap, RouteRule } from './route-map.ts';

/** The result of a rule for a request: the target path and value, and the list items it used if only some. */
type RuleResult =
  | { readonly to: string; readonly value: JsonValue; readonly items: readonly number[] | null }
  /** The order has no value there, or it is expressed by leaving it out. */
  | { readonly value: undefined; readonly items: readonly number[] | null }
  /** The upstream has no equivalent of this value. */
  | { readonly unsupported: JsonValue };

export interface NamedRule {
  /** The parameters and derived values that the rule reads. */
  readonly sources: readonly string[];
  /** The rule's text around its sources: one more part than there are sources; null = the rule has no text. */
  readonly around: readonly string[] | null;
  /** Other fields that the rule's shape includes. */
  readonly beside: readonly string[];
  readonly rule: RouteRule;
}

export type LookUp = (name: string) => JsonValue;

/** Creates a look-up: parameters first, then derived values; null = neither sent nor known. */
export function lookUpIn(request: Pick<ResolvedRequest, 'values' | 'derived'>): LookUp {
  return (name) => request.values[name] ?? request.derived[name] ?? null;
}

const NO_DEFAULTS: JsonObject = {};

/** Tells whether all conditions hold; true if there are none. A value that equals its default counts as not sent. */
export function holds(
  when: Readonly<Record<string, Condition>> | undefined,
  lookUp: LookUp,
  defaults = NO_DEFAULTS,
): boolean {
  for (const name in when) {
    const value = lookUp(name);
    if (!meets(when[name] as Condition, value, isPresent(value, defaults[name]))) return false;
  }
  return true;
}

/** Maps do not change: those of the catalog are the same for every order. */
const rulesOfMaps = new WeakMap<RouteMap, readonly NamedRule[]>();

/** Returns the rules of a map as a list, in order. Reads each map once. */
export function rulesOf(map: RouteMap): readonly NamedRule[] {
  const known = rulesOfMaps.get(map);
  if (known !== undefined) return known;
  const rules = Object.entries(map).flatMap(([name, entry]) => listOf(entry).map((rule) => nameRule(name, rule)));
  rulesOfMaps.set(map, rules);
  return rules;
}

function nameRule(name: string, rule: RouteRule): NamedRule {
  const beside = namesIn(rule.shape as JsonValue);
  if (rule.text === undefined) return { sources: [rule.from ?? name], around: null, beside, rule };
  const parts = rule.text.split(PLACEHOLDER);
  const partsAt = (remainder: 0 | 1) => parts.filter((_, index) => index % 2 === remainder);
  return { sources: partsAt(1), around: partsAt(0), beside, rule };
}

/** Evaluates one rule whose `when` holds. */
export function readRule({ sources, around, rule }: NamedRule, lookUp: LookUp): RuleResult {
  const found = around === null ? lookUp(sources[0] ?? '') : fillIn(around, sources, lookUp);
  const { value, items } = takeFrom(found, rule.take);
  if (value === null || (Array.isArray(value) && value.length === 0)) {
    return rule.unsent === undefined
      ? { value: undefined, items }
      : { to: rule.to, value: rule.unsent as JsonValue, items };
  }
  const mapped = rule.items === undefined ? value : mapItems(rule.items, value);
  if (mapped === undefined) return { unsupported: value };
  const translated = rule.nearest === undefined ? translateValue(rule, mapped) : ratioFor(rule.nearest, mapped, lookUp);
  if (translated === undefined) return { unsupported: value };
  if (translated === null) return { value: undefined, items };
  const converted = convertValue(rule, translated);
  if (typeof converted === 'number' && !Number.isFinite(converted)) return { unsupported: value };
  return { to: rule.to, value: shapeAll(rule, converted, lookUp), items };
}

function listOf(entry: RouteMap[string]): readonly RouteRule[] {
  if (typeof entry === 'string') return [{ to: entry }];
  return Array.isArray(entry) ? entry : [entry as RouteRule];
}

const PLACEHOLDER = /\{([a-z][a-z0-9_]*)\}/;
const BESIDE = /^\$([a-z][a-z0-9_]*)$/;

/** Returns the fields whose values a shape includes, such as "$strength". */
function namesIn(shape: JsonValue | undefined): string[] {
  if (typeof shape === 'string') return BESIDE.exec(shape)?.slice(1) ?? [];
  return typeof shape === 'object' && shape !== null ? Object.values(shape as JsonObject).flatMap(namesIn) : [];
}

/** Returns null if one of the values is absent. */
function fillIn([first = '', ...behind]: readonly string[], sources: readonly string[], lookUp: LookUp): string | null {
  let filled = first;
  for (const [index, name] of sources.entries()) {
    const value = lookUp(name);
    if (value === null) return null;
    filled += `${value}${behind[index]}`;
  }
  return filled;
}

function takeFrom(value: JsonValue, take: RouteRule['take']): { value: JsonValue; items: readonly number[] | null } {
  if (take === undefined || !Array.isArray(value)) return { value, items: null };
  if (take === 'rest') return { value: value.slice(1), items: value.map((_, index) => index).slice(1) };
  const index = take === 'first' ? 0 : take === 'last' ? value.length - 1 : take;
  return { value: (value[index] as JsonValue | undefined) ?? null, items: [index] };
}

/** Returns undefined if one of the fields cannot be expressed. */
function mapItems(map: NonNullable<RouteRule['items']>, value: JsonValue): JsonValue | undefined {
  if (Array.isArray(value) && !isMappedByIndex(value, map)) {
    const mapped = value.map((item: JsonValue) => mapItems(map, item));
    return mapped.includes(undefined) ? undefined : (mapped as JsonValue[]);
  }
  if (typeof value !== 'object' || value === null) return value;
  const object = value as JsonObject;
  const rules = rulesOf(map as RouteMap);
  const covered = new Set(rules.flatMap(({ sources, beside }) => [...sources, ...beside]));
  if (Object.keys(object).some((name) => isPresent(object[name]) && !covered.has(name))) return undefined;
  const mapped: { [key: string]: JsonValue } = {};
  const lookUp: LookUp = (name) => object[name] ?? null;
  for (const named of rules) {
    if (!holds(named.rule.when, lookUp)) continue;
    const one = readRule(named, lookUp);
    if ('unsupported' in one) return undefined;
    if (one.value !== undefined) setAt(mapped, one.to, one.value);
  }
  return mapped;
}

/** Tells whether a list, such as a colour, is mapped by index (0, 1, 2) instead of by field. */
function isMappedByIndex(list: readonly JsonValue[], map: NonNullable<RouteRule['items']>): boolean {
  return list.every((item) => typeof item !== 'object') && Object.keys(map).every((name) => /^\d+$/.test(name));
}

function translateValue({ values, otherwise }: RouteRule, value: JsonValue): JsonValue | undefined {
  if (values === undefined) return value;
  const translated = Object.hasOwn(values, String(value)) ? (values[String(value)] as JsonValue) : undefined;
  return translated === undefined && otherwise === 'same' ? value : translated;
}

/** Returns a ratio as it is, and for a word such as `auto` the listed one that is nearest to the output. */
function ratioFor(listed: readonly string[], value: JsonValue, lookUp: LookUp): JsonValue | undefined {
  if (readRatio(value) !== null) return listed.find((ratio) => ratio === value);
  const aspect = Number(lookUp('aspect') ?? 1);
  const distance = (ratio: string) => Math.abs(Math.log((readRatio(ratio) ?? 1) / aspect));
  return listed.toSorted((one, other) => distance(one) - distance(other))[0];
}

function convertValue({ times, plus, as, prefix, suffix }: RouteRule, value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value;
  let converted = value;
  if (times !== undefined || plus !== undefined) converted = Number(converted) * (times ?? 1) + (plus ?? 0);
  if (as === 'string') converted = String(converted);
  if (as === 'number') converted = Number(converted);
  if (as === 'integer') converted = Math.round(Number(converted));
  if (as === 'boolean') converted = converted === true || converted === 'true';
  return prefix === undefined && suffix === undefined ? converted : `${prefix ?? ''}${converted}${suffix ?? ''}`;
}

function shapeAll({ shape }: RouteRule, value: JsonValue, lookUp: LookUp): JsonValue {
  if (shape === undefined) return value;
  return Array.isArray(value)
    ? value.map((item: JsonValue) => fillShape(shape as JsonValue, item, lookUp))
    : fillShape(shape as JsonValue, value, lookUp);
}

/** Omits null values. */
function fillShape(shape: JsonValue, value: JsonValue, lookUp: LookUp): JsonValue {
  if (shape === '$') return value;
  if (typeof shape === 'string') {
    const [, name] = BESIDE.exec(shape) ?? [];
    return name === undefined ? shape : lookUp(name);
  }
  if (typeof shape !== 'object' || shape === null) return shape;
  if (Array.isArray(shape)) {
    return shape.map((part: JsonValue) => fillShape(part, value, lookUp)).filter((part) => part !== null);
  }
  const filled = Object.entries(shape).map(([name, part]) => [name, fillShape(part, value, lookUp)] as const);
  return Object.fromEntries(filled.filter(([, part]) => part !== null));
}

/**
 * Sets a value at a path; a number is an index of a list (`messages.0.role`), and `list[]` appends the value, or each
 * of its items, to a list.
 */
export function setAt(target: { [key: string]: JsonValue }, path: string, value: JsonValue): void {
  const names = path.split('.');
  const last = names.pop() ?? '';
  let object = target;
  for (const [index, name] of names.entries()) {
    object[name] ??= /^\d+$/.test(names[index + 1] ?? last) ? [] : {};
    object = object[name] as { [key: string]: JsonValue };
  }
  if (!last.endsWith('[]')) object[last] = value;
  else {
    const name = last.slice(0, -2);
    object[name] = [...((object[name] as JsonValue[] | undefined) ?? []), ...(Array.isArray(value) ? value : [value])];
  }
}
