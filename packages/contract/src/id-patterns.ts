/** Regular expressions, without anchors, of the ids and names that the service makes or accepts. */

/** An account's id: chosen, or `acc_…`. */
export const ACCOUNT_ID = '[a-z0-9][a-z0-9_-]{0,63}';
export const MODEL_ID = '[a-z0-9][a-z0-9.-]{0,63}';
/** A pattern of models such as `flux-*`. */
export const MODEL_GLOB = '[a-z0-9.*?-]{1,64}';
export const TASK_ID = idPattern('img', 'vid');
/** An amount of dollars from 0 on that `parseMicros` reads. */
export const DOLLARS = '(?:0|[1-9]\\d{0,8})(?:\\.\\d{1,6})?';

/** Returns the pattern of ids that `createIdFactory` makes with one of these prefixes. */
export function idPattern(...prefixes: readonly string[]): string {
  return `(?:${prefixes.join('|')})_[0-9a-z]{26}`;
}

/** Tells whether a text is an id with one of these prefixes. */
export function isId(text: string, ...prefixes: readonly string[]): boolean {
  return new RegExp(`^${idPattern(...prefixes)}$`).test(text);
}
