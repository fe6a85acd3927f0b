import type { JsonObject, JsonValue } from '@darkroom-service/contract';
import { objectOf } from './json-object.ts';

/** Reads an upstream's reason from the usual forms of an error, with its messages about each field. */

const LISTS = ['issues', 'errors', 'detail', 'details', 'invalid_fields'];
const MOST_FAULTS = 20;
const LONGEST_CODE = 100;
/** Maximum levels: `{ error: { error: { message } } }` is the deepest known form. */
const MOST_LEVELS = 3;

interface Fault {
  /** Path of the field, with dots; empty if the upstream names none. */
  readonly field: string;
  readonly words: string;
}

/** Returns the reason from the usual fields of an error; null if there is none. */
export function reasonIn(body: JsonValue | undefined): string | null {
  for (const level of levelsOf(body)) {
    const { message, detail, error, msg, title } = level;
    const text = [message, detail, error, msg, title].find((one) => typeof one === 'string' && one !== '');
    const faults = faultsIn(level).map(wordsOf).join('; ');
    if (typeof text === 'string') return faults === '' || text.includes(faults) ? text : `${text}: ${faults}`;
    if (faults !== '') return faults;
  }
  return null;
}

/**
 * Returns the words of a failure, whether it is a text, an error in one of the usual forms, or anything else; null if
 * it says nothing.
 */
export function failureWords(error: JsonValue | undefined): string | null {
  const reason = error === undefined ? null : reasonIn({ error });
  return reason ?? (Object.keys(objectOf(error)).length === 0 ? null : JSON.stringify(error));
}

/** Returns the fields that an error is about, as far as it names them. */
export function fieldsIn(body: JsonValue | undefined): string[] {
  return levelsOf(body).flatMap((level) => {
    const { param } = level;
    const named = faultsIn(level).map(({ field }) => field);
    return [...(typeof param === 'string' ? [param] : []), ...named].filter((field) => field !== '');
  });
}

/** Returns the codes of an error that are words, such as `not_enough_credits`. */
export function codesIn(body: JsonValue | undefined): string[] {
  return levelsOf(body).flatMap(({ code, type, reason }) =>
    [code, type, reason].filter((word): word is string => typeof word === 'string' && word.length <= LONGEST_CODE),
  );
}

/** Tells whether an answer reports a failure in a field for it. */
export function hasError(body: JsonValue | undefined): boolean {
  const { error, errors } = objectOf(body);
  const [first] = Array.isArray(errors) ? errors : [];
  return [error, first].some((one) => (typeof one === 'string' && one !== '') || Object.keys(objectOf(one)).length > 0);
}

/**
 * Tells whether an answer is complete and has no result: its list is empty or null, and there is no error.
 * @param results the fields of an item that may hold its result
 */
export function hasEmpty(body: JsonValue | undefined, field: string, results: readonly string[] = []): boolean {
  const list = objectOf(body)[field];
  const lacksResult = (item: JsonValue) => {
    const named = results.filter((name) => name in objectOf(item));
    return isVoid(item) || (named.length > 0 && named.every((name) => isVoid(objectOf(item)[name] ?? null)));
  };
  return (list === null || (Array.isArray(list) && list.every(lacksResult))) && !hasError(body);
}

/** Tells whether a value is empty: an empty text, or an object or list of such values. */
function isVoid(value: JsonValue): boolean {
  if (value === null || value === '') return true;
  return typeof value === 'object' && Object.values(value).every(isVoid);
}

/** Returns the HTTP status that an error names inside a successful answer; null if it names none. */
export function statusIn(body: JsonValue | undefined): number | null {
  const codes = levelsOf(body).flatMap((level) => {
    const { code, status, status_code: third } = level;
    return [code, status, third];
  });
  const found = codes.map(Number).find((code) => Number.isInteger(code) && code >= 400 && code < 600);
  return found ?? null;
}

/** Returns the words of a model that answered with text instead of a picture or film; null if there are none. */
export function spokenIn(body: JsonValue | undefined): string | null {
  const { candidates, choices, output, output_text: plain } = objectOf(body);
  const choice = objectOf(first(choices) ?? first(objectOf(output).choices));
  const { content } = objectOf(choice.message);
  const parts = objectOf(objectOf(first(candidates)).content).parts ?? content;
  const texts = (Array.isArray(parts) ? parts.slice(0, MOST_FAULTS) : [])
    .map((part: JsonValue) => objectOf(part))
    // A model's thinking is not its answer.
    .filter(({ thought }) => thought !== true)
    .map(({ text }) => text);
  const text = [plain, content, texts.filter((one) => typeof one === 'string').join(' ')].find(
    (one) => typeof one === 'string' && one.trim() !== '',
  );
  return typeof text === 'string' ? text : null;
}

function first(list: JsonValue | undefined): JsonValue | undefined {
  return Array.isArray(list) ? list[0] : undefined;
}

/** Returns the body, and the objects under `error` in it, the innermost first. */
function levelsOf(body: JsonValue | undefined): JsonObject[] {
  const levels: JsonObject[] = [];
  for (let level = body; levels.length < MOST_LEVELS; level = levels[0]?.error) {
    if (typeof level !== 'object' || level === null || Array.isArray(level)) break;
    levels.unshift(level as JsonObject);
  }
  return levels;
}

/** Reads lists such as FastAPI's `detail: [{ loc, msg }]` and Zod's `issues: [{ path, message }]`. */
function faultsIn(error: JsonObject): Fault[] {
  const list = LISTS.map((name) => error[name]).find((value) => Array.isArray(value));
  return (Array.isArray(list) ? list.slice(0, MOST_FAULTS) : []).flatMap((one: JsonValue) => {
    if (typeof one === 'string') return [{ field: '', words: one }];
    const { loc, path, field, msg, message, description } = objectOf(one);
    const words = [msg, message, description].find((text) => typeof text === 'string');
    return typeof words === 'string' ? [{ field: placeOf(loc ?? path ?? field), words }] : [];
  });
}

function placeOf(place: JsonValue | undefined): string {
  if (!Array.isArray(place)) return typeof place === 'string' ? place : '';
  return place.filter((part, index) => index > 0 || part !== 'body').join('.');
}

function wordsOf({ field, words }: Fault): string {
  return field === '' ? words : `${field}: ${words}`;
}
