import { type Micros, parseMicros } from '@darkroom-service/contract';
import { type Static, type TObject, type TProperties, type TSchemaOptions, Type } from 'typebox';
import { isWebAddress } from './url-checks.ts';

/** The texts of a variable: its accepted values, as words after "expected …", and its purpose. */
export interface Wording extends TSchemaOptions {
  readonly expected: string;
  readonly description: string;
  /** Whether the value is left out of error messages. */
  readonly secret?: boolean;
}

/** Values of variables, without those that are optional and unset. */
export type ValuesOf<Variables extends TProperties> = Static<TObject<Variables>>;

/** A value that is wrong, or wrong beside others. */
export interface VariableFault {
  readonly variable: string;
  readonly message: string;
}

/** Returns the type of a variable with any text that passes a test. */
export function text(wording: Wording, test: (value: string) => boolean = () => true) {
  return Type.Refine(Type.String(wording), test, () => wording.expected);
}

/** Returns the type of a list, separated by commas, that is checked as a whole. */
export function texts(wording: Wording, test: (values: readonly string[]) => boolean) {
  return Type.Refine(Type.Array(Type.String(), wording), test, () => wording.expected);
}

/** Returns the type of a list, separated by commas, of values that all match. */
export function list(pattern: RegExp, wording: Wording) {
  return Type.Array(Type.String({ pattern: pattern.source }), wording);
}

/**
 * Returns the type of a variable with a whole number.
 * @param fallback the value of an unset variable; left out, none
 */
export function integer(minimum: number, maximum: number, description: string, fallback?: number) {
  const expected = `a whole number from ${minimum} to ${maximum}`;
  return Type.Integer({ minimum, maximum, expected, description, ...withDefault(fallback) });
}

/** Returns the type of a variable with a number. @param fallback the value of an unset variable; left out, none */
export function decimal(minimum: number, maximum: number, description: string, fallback?: number) {
  const expected = `a number from ${minimum} to ${maximum}`;
  return Type.Number({ minimum, maximum, expected, description, ...withDefault(fallback) });
}

/** Returns the type of a variable with `true` or `false`. */
export function flag(description: string, fallback: boolean) {
  return Type.Boolean({ expected: 'true or false', description, default: fallback });
}

/** Returns the type of a variable with one of some words. */
export function oneOf<const Value extends string>(
  values: readonly Value[],
  description: string,
  fallback?: NoInfer<Value>,
) {
  const expected = `one of ${values.join(', ')}`;
  return Type.Unsafe<Value>({ type: 'string', enum: [...values], expected, description, ...withDefault(fallback) });
}

/** Returns the type of an optional URL without user and password. */
export function webAddress(example: string, description: string) {
  return Type.Optional(text({ expected: `a URL such as ${example}`, description }, isWebAddress));
}

/** Returns the type of an amount of US dollars, which `microsOf` reads. */
export function dollars(example: string, description: string, fallback?: string) {
  const expected = `an amount of US dollars such as ${example}`;
  return text({ expected, description, ...withDefault(fallback) }, (value) => (microsOf(value) ?? -1) >= 0);
}

/** Parses an amount of money; null if it is unset. */
export function microsOf(value: string | undefined): Micros | null {
  return parseMicros(value ?? '');
}

/** Returns the type of an engine's API key, which switches the engine on. It is sent in a header. */
export function engineKey(engine: string, expected: string) {
  const description = `The API key of the engine \`${engine}\`. Setting it switches the engine on.`;
  return Type.Optional(
    text({ expected, description, secret: true }, (value) => /^[\x21\x23-\x26\x28-\x7e]+$/.test(value)),
  );
}

function withDefault<Value>(fallback: Value | undefined): { readonly default?: Value } {
  return fallback === undefined ? {} : { default: fallback };
}
