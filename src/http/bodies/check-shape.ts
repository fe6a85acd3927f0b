import {
  cutText,
  didYouMean,
  errorFromFaults,
  type Fault,
  ServiceError,
  suggestName,
} from '@darkroom-service/contract';
import { JUDGED_BY_CONTENT, SECRET_MARK } from '@darkroom-service/contract/parts';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { FastifyInstance, FastifySchemaCompiler } from 'fastify';
import { MOST_FAULTS } from '../../catalog/parameter-fault.ts';

/**
 * Maximum size of a body whose shape is checked here; no valid one comes near. Orders and files have limits of their
 * own.
 */
const SHAPED_BODY_BYTES = 64 * 1024;

/** Schemas are part of the program, so none is checked: compiling the schema of schemas takes longer than theirs. */
const ajv = new Ajv({
  allErrors: true,
  verbose: true,
  strict: false,
  validateFormats: false,
  validateSchema: false,
  meta: false,
});

/** The error message for mixing the two ways of paging. */
const INSTEAD: Readonly<Record<string, string>> = {
  page: 'offset',
  offset: 'page',
  cursor: 'after',
  starting_after: 'after',
};

interface PropertySchema {
  readonly type?: string;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly [SECRET_MARK]?: boolean;
}

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, PropertySchema>>;
  readonly 'x-judged-by'?: string;
  readonly 'x-optional'?: boolean;
  readonly [SECRET_MARK]?: boolean;
}

/**
 * Limits the bodies whose shape is checked: each unknown field is a fault, so refusing a long body full of them would
 * be expensive. The body is not read to its end.
 */
export function limitShapedBodies(app: FastifyInstance, maxBodyBytes: number): void {
  app.addHook('onRoute', (route) => {
    const body = route.schema?.body as ObjectSchema | undefined;
    if (body?.['x-judged-by'] === undefined) route.bodyLimit ??= Math.min(SHAPED_BODY_BYTES, maxBodyBytes);
  });
}

/**
 * Checks each part of a request against the schema that also documents it. Only whole numbers in query strings are
 * coerced.
 */
export const compileShapeCheck: FastifySchemaCompiler<unknown> = ({ schema, httpPart }) => {
  const shape = schema as ObjectSchema;
  // Files are checked by their readers; their schemas only document.
  const byContent = shape['x-judged-by'] === JUDGED_BY_CONTENT['x-judged-by'];
  if (httpPart === 'headers') return checkHeaders(shape);
  if (byContent) return (data: unknown) => ({ value: data });
  if (httpPart === 'querystring') return checkQuery(shape, compileWhenUsed(shape));
  const validate = shape['x-judged-by'] === undefined ? compileWhenUsed(shape) : null;
  return (data: unknown) => {
    if (httpPart === 'body' && data === null) {
      if (shape['x-optional'] === true) return { value: data };
      return { error: emptyBody() };
    }
    const errors = validate === null ? [] : validate(data);
    return errors.length === 0 ? { value: data } : { error: errorFromFaults(faultsOf(errors, shape)) };
  };
};

/** Returns the error for a missing body. */
export function emptyBody(): ServiceError {
  return new ServiceError(
    'invalid_json',
    'The body is empty. Send a JSON object, with Content-Type: application/json.',
  );
}

/** Compiled schemas by their text: several routes have the same one, and each start of a service makes it again. */
const compiled = new Map<string, ValidateFunction>();

/**
 * Compiles a schema at its first request, because all schemas together would take a third of the start.
 * @returns a function that lists the faults
 */
function compileWhenUsed(shape: ObjectSchema): (data: unknown) => readonly ErrorObject[] {
  let validate: ValidateFunction | undefined;
  return (data) => {
    validate ??= compileOnce(shape);
    return validate(data) ? [] : (validate.errors ?? []);
  };
}

function compileOnce(shape: ObjectSchema): ValidateFunction {
  const text = JSON.stringify(shape);
  const known = compiled.get(text);
  if (known !== undefined) return known;
  const validate = ajv.compile(shape);
  compiled.set(text, validate);
  return validate;
}

/** Refuses headers that are too long. Headers with a format are checked by their readers. */
function checkHeaders({ properties = {} }: ObjectSchema) {
  const limits = Object.entries(properties).flatMap(([name, { pattern, maxLength }]) =>
    pattern === undefined && maxLength !== undefined ? [{ name, maxLength }] : [],
  );
  return (headers: Readonly<Record<string, string | undefined>>) => {
    for (const { name, maxLength } of limits) {
      if ((headers[name]?.length ?? 0) <= maxLength) continue;
      const message = `The header ${name} has more than ${maxLength} characters. Shorten it.`;
      return { error: new ServiceError('invalid_request', message, { param: name }) };
    }
    // Without a value: Fastify would copy all headers again at each access to one of them.
    return true;
  };
}

function checkQuery(shape: ObjectSchema, validate: ReturnType<typeof compileWhenUsed>) {
  const numbers = Object.entries(shape.properties ?? {})
    .filter(([, property]) => property.type === 'integer')
    .map(([name]) => name);
  return (data: Record<string, unknown>) => {
    for (const name of numbers) {
      const text = data[name];
      if (typeof text === 'string' && /^-?\d{1,15}$/.test(text)) data[name] = Number(text);
    }
    const errors = validate(data);
    return errors.length === 0 ? { value: data } : { error: errorFromFaults(faultsOf(errors, shape)) };
  };
}

function faultsOf(errors: readonly ErrorObject[], shape: ObjectSchema): Fault[] {
  const faults = new Map<string, Fault>();
  for (const error of errors) {
    const fault = faultOf(error, shape);
    // A union reports a fault per member; the last one summarises them.
    faults.set(fault.param ?? '', fault);
    if (faults.size >= MOST_FAULTS) break;
  }
  return [...faults.values()];
}

function faultOf(error: ErrorObject, shape: ObjectSchema): Fault {
  const at = error.instancePath
    .slice(1)
    .replace(/\/(\d+)(?=\/|$)/g, '[$1]')
    .replaceAll('/', '.');
  if (error.keyword === 'additionalProperties') {
    const name = String(error.params.additionalProperty);
    const param = at === '' ? name : `${at}.${name}`;
    const taken = Object.keys((error.parentSchema as ObjectSchema).properties ?? {});
    const instead = INSTEAD[name];
    const suggestion = instead !== undefined && taken.includes(instead) ? instead : suggestName(name, taken);
    const accepted = taken.length === 0 ? 'No field is accepted.' : `Accepted fields: ${taken.join(', ')}.`;
    // Someone may have sent the secret as a name.
    const isQuoted = suggestion !== null || !hasSecret(error.parentSchema as ObjectSchema);
    const message = `${isQuoted ? `'${cutText(param, 100)}'` : 'A field'} is not accepted.${didYouMean(suggestion)} ${accepted}`;
    const named = isQuoted ? param : null;
    return { param: named, code: 'unsupported_field', message, ...(suggestion === null ? {} : { suggestion }) };
  }
  if (error.keyword === 'required') {
    const name = String(error.params.missingProperty);
    const param = at === '' ? name : `${at}.${name}`;
    return { param, code: 'invalid_request', message: `'${param}' is missing.` };
  }
  if (error.keyword === 'minProperties') {
    const taken = Object.keys((error.parentSchema as ObjectSchema).properties ?? {});
    const what = at === '' ? 'The body' : `'${at}'`;
    const message = `${what} is empty. Send at least one of ${taken.join(', ')}.`;
    return { param: at === '' ? null : at, code: 'invalid_request', message };
  }
  if (error.keyword === 'oneOf' && at === '') {
    const choices = (error.schema as readonly { readonly required: readonly string[] }[]).flatMap(
      (one) => one.required,
    );
    const message = `Send exactly one of ${choices.join(', ')}.`;
    return { param: choices[0] ?? null, code: 'invalid_request', message };
  }
  return {
    param: at === '' ? null : at,
    code: 'invalid_request',
    message: `'${at}' ${wording(error, shape)}; found ${isSecret(error) ? unshown(error.data) : shorten(error.data)}.`,
  };
}

function wording(error: ErrorObject, shape: ObjectSchema): string {
  if (error.keyword === 'enum') return `must be one of ${(error.params.allowedValues as unknown[]).join(', ')}`;
  if (error.keyword === 'const') return `must be ${JSON.stringify(error.params.allowedValue)}`;
  const isFormat = error.keyword === 'pattern' || error.keyword === 'anyOf';
  const { description } = error.parentSchema as { readonly description?: string };
  // The description names the accepted values unless it is a sentence.
  if (isFormat && description !== undefined && /^[a-z]/.test(description)) return `must be ${description}`;
  const hint = description === undefined || shape === error.parentSchema ? '' : ` (${description})`;
  return `${isFormat ? 'has an invalid format' : (error.message ?? 'is invalid')}${hint}`;
}

function hasSecret({ properties = {} }: ObjectSchema): boolean {
  return Object.values(properties).some((property) => property[SECRET_MARK] === true);
}

function isSecret({ parentSchema }: ErrorObject): boolean {
  return (parentSchema as ObjectSchema | undefined)?.[SECRET_MARK] === true;
}

function unshown(value: unknown): string {
  return typeof value === 'string'
    ? `a value that is not shown (${value.length} characters)`
    : 'a value that is not shown';
}

function shorten(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return cutText(text, 80, '…');
}
