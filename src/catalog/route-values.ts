import type { JsonObject, JsonValue } from '../base/canonical-json.ts';
import { isPresent, meets } from './condition.ts';
import type { Condition } from './condition-shape.ts';
import type { ResolvedRequest } from './model.ts';
import type { RouteMap, RouteRule } from './route-map.ts';

/** What a rule makes of a request: where it goes and what; `items` of which list it took, where it took some only. */
export type Said =
  | { readonly to: string; readonly value: JsonValue; readonly items: readonly number[] | null }
  /** The order says nothing there, or it is said by leaving it out. */
  | { readonly value: undefined; readonly items: readonly number[] | null }
  /** The upstream has no word for this value. */
  | { readonly cannotSay: JsonValue };

export interface NamedRule {
  /** The parameters and derived values it reads. */
  readonly sources: readonly string[];
  /** Those that its shape says beside the value. */
  readonly beside: readonly string[];
  readonly rule: RouteRule;
}

export type LookUp = (name: string) => JsonValue;

/** Parameters first, then derived values; null = neither sent nor known. */
export function lookUpIn(request: Pick<ResolvedRequest, 'values' | 'derived'>): LookUp {
  return (name) => request.values[name] ?? request.derived[name] ?? null;
}

/** Whether all conditions hold; without any, always. */
export function holds(when: Readonly<Record<string, Condition>> | undefined, lookUp: LookUp): boolean {
  for (const name in when) {
    const value = lookUp(name);
    if (!meets(when[name] as Condition, value, isPresent(value))) return false;
  }
  return true;
}

/** The rules of a map, one by one, in their order. */
export function rulesOf(map: RouteMap): NamedRule[] {
  return Object.entries(map).flatMap(([name, entry]) =>
    listOf(entry).map((rule) => ({ sources: sourcesOf(name, rule), beside: namesIn(rule.shape as JsonValue), rule })),
  );
}

/** Reads one rule whose `when` holds. */
export function readRule({ sources, rule }: NamedRule, lookUp: LookUp): Said {
  const found = rule.text === undefined ? lookUp(sources[0] ?? '') : fillIn(rule.text, lookUp);
  const { value, items } = takeFrom(found, rule.take);
  if (value === null || (Array.isArray(value) && value.length === 0)) {
    return rule.unsent === undefined
      ? { value: undefined, items }
      : { to: rule.to, value: rule.unsent as JsonValue, items };
  }
  const worded = rule.items === undefined ? value : sayItems(rule.items, value);
  if (worded === undefined) return { cannotSay: value };
  const called = callByValue(rule, worded);
  if (called === undefined) return { cannotSay: value };
  if (called === null) return { value: undefined, items };
  const dressed = dress(rule, called);
  if (typeof dressed === 'number' && !Number.isFinite(dressed)) return { cannotSay: value };
  return { to: rule.to, value: shapeAll(rule, dressed, lookUp), items };
}

function listOf(entry: RouteMap[string]): readonly RouteRule[] {
  if (typeof entry === 'string') return [{ to: entry }];
  return Array.isArray(entry) ? entry : [entry as RouteRule];
}

function sourcesOf(name: string, rule: RouteRule): string[] {
  if (rule.text !== undefined) return [...rule.text.matchAll(PLACEHOLDER)].map(([, source = '']) => source);
  return [rule.from ?? name];
}

const PLACEHOLDER = /\{([a-z][a-z0-9_]*)\}/g;
const BESIDE = /^\$([a-z][a-z0-9_]*)$/;

/** The fields whose values a shape takes in beside its own: "$strength". */
function namesIn(shape: JsonValue | undefined): string[] {
  if (typeof shape === 'string') return BESIDE.exec(shape)?.slice(1) ?? [];
  return typeof shape === 'object' && shape !== null ? Object.values(shape as JsonObject).flatMap(namesIn) : [];
}

/** Null as soon as one of the values is not there. */
function fillIn(text: string, lookUp: LookUp): string | null {
  let complete = true;
  const filled = text.replaceAll(PLACEHOLDER, (_, name: string) => {
    const value = lookUp(name);
    complete &&= value !== null;
    return String(value);
  });
  return complete ? filled : null;
}

function takeFrom(value: JsonValue, take: RouteRule['take']): { value: JsonValue; items: readonly number[] | null } {
  if (take === undefined || !Array.isArray(value)) return { value, items: null };
  if (take === 'rest') return { value: value.slice(1), items: value.map((_, index) => index).slice(1) };
  const index = take === 'first' ? 0 : take === 'last' ? value.length - 1 : take;
  return { value: (value[index] as JsonValue | undefined) ?? null, items: [index] };
}

/** Undefined where one of the fields cannot be said. */
function sayItems(map: NonNullable<RouteRule['items']>, value: JsonValue): JsonValue | undefined {
  if (Array.isArray(value) && !isSaidByPlace(value, map)) {
    const said = value.map((item: JsonValue) => sayItems(map, item));
    return said.includes(undefined) ? undefined : (said as JsonValue[]);
  }
  if (typeof value !== 'object' || value === null) return value;
  const object = value as JsonObject;
  const rules = rulesOf(map as RouteMap);
  const said = new Set(rules.flatMap(({ sources, beside }) => [...sources, ...beside]));
  if (Object.keys(object).some((name) => isPresent(object[name]) && !said.has(name))) return undefined;
  const wording: { [key: string]: JsonValue } = {};
  const lookUp: LookUp = (name) => object[name] ?? null;
  for (const named of rules) {
    if (!holds(named.rule.when, lookUp)) continue;
    const one = readRule(named, lookUp);
    if ('cannotSay' in one) return undefined;
    if (one.value !== undefined) setAt(wording, one.to, one.value);
  }
  return wording;
}

/** A list such as a colour, whose places (0, 1, 2) the map names in place of the fields of an object. */
function isSaidByPlace(list: readonly JsonValue[], map: NonNullable<RouteRule['items']>): boolean {
  return list.every((item) => typeof item !== 'object') && Object.keys(map).every((name) => /^\d+$/.test(name));
}

function callByValue({ values, otherwise }: RouteRule, value: JsonValue): JsonValue | undefined {
  if (values === undefined) return value;
  const called = Object.hasOwn(values, String(value)) ? (values[String(value)] as JsonValue) : undefined;
  return called === undefined && otherwise === 'same' ? value : called;
}

function dress({ times, plus, as, prefix, suffix }: RouteRule, value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value;
  let dressed = value;
  if (times !== undefined || plus !== undefined) dressed = Number(dressed) * (times ?? 1) + (plus ?? 0);
  if (as === 'string') dressed = String(dressed);
  if (as === 'number') dressed = Number(dressed);
  if (as === 'integer') dressed = Math.round(Number(dressed));
  if (as === 'boolean') dressed = dressed === true || dressed === 'true';
  return prefix === undefined && suffix === undefined ? dressed : `${prefix ?? ''}${dressed}${suffix ?? ''}`;
}

function shapeAll({ shape }: RouteRule, value: JsonValue, lookUp: LookUp): JsonValue {
  if (shape === undefined) return value;
  return Array.isArray(value)
    ? value.map((item: JsonValue) => fillShape(shape as JsonValue, item, lookUp))
    : fillShape(shape as JsonValue, value, lookUp);
}

/** Whatever is null in it is left out. */
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

/** Puts a value at a path; `list[]` appends it, or each of its items, to a list. */
export function setAt(target: { [key: string]: JsonValue }, path: string, value: JsonValue): void {
  const names = path.split('.');
  const last = names.pop() ?? '';
  let object = target;
  for (const name of names) {
    object[name] ??= {};
    object = object[name] as { [key: string]: JsonValue };
  }
  if (!last.endsWith('[]')) object[last] = value;
  else {
    const name = last.slice(0, -2);
    object[name] = [...((object[name] as JsonValue[] | undefined) ?? []), ...(Array.isArray(value) ? value : [value])];
  }
}
