import multipart, { type Multipart } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import type { JsonObject, JsonValue } from '../../base/canonical-json.ts';
import { isCleanText } from '../../base/clean-text.ts';
import { ServiceError } from '../../base/errors.ts';
import { callerOf } from '../authenticate.ts';
import { holdBody } from '../bodies/read-body.ts';
import type { App, HttpOptions } from '../http-options.ts';

/** The mask, the sixteen images that OpenAI accepts, and some more, so that the model says how many are too many. */
const MOST_FILES = 32;
const MOST_FIELDS = 64;
const LONGEST_FIELD_BYTES = 262_144;
/** A form is longer than its files by its own lines. */
const FORM_LINES_BYTES = 1_000_000;
/** Fields that stay text, even if they look like a number. */
const TEXTS = ['prompt', 'negative_prompt', 'model', 'size', 'user', 'safety_identifier', 'end_user', 'metadata'];
const NAME = /^([^[\]]{1,64})(?:\[([^[\]]{0,64})\])?$/;

/**
 * Accepts multipart forms for all routes of a scope, and gives handlers the body that JSON would: files as `data:` URIs,
 * `image[]` as a list, `input_reference[image_url]` as an object, numbers and booleans as such.
 */
export async function takeForms(mount: App, options: HttpOptions): Promise<void> {
  const limits = { files: MOST_FILES, fields: MOST_FIELDS, fieldSize: LONGEST_FIELD_BYTES };
  await mount.register(multipart, { limits: { ...limits, fileSize: options.maxBodyBytes + 1 } });
  mount.addHook('preValidation', async (request) => {
    if (request.isMultipart()) request.body = await readForm(request, options);
  });
}

async function readForm(request: FastifyRequest, options: HttpOptions): Promise<JsonObject> {
  const { services, maxBodyBytes } = options;
  const longest = maxBodyBytes + FORM_LINES_BYTES;
  const announced = Number(request.headers['content-length'] ?? longest);
  if (announced > longest) throw tooLarge(maxBodyBytes);
  holdBody(request, services.budgets.acquire(callerOf(request).id, 'body_bytes', announced));
  const form = new Map<string, JsonValue>();
  let bytes = 0;
  try {
    for await (const part of request.parts()) {
      const value = part.type === 'file' ? await readFile(part, maxBodyBytes) : readText(part);
      bytes += typeof value === 'string' ? value.length : 0;
      // Files are base64 by now.
      if (bytes > (longest / 3) * 4) throw tooLarge(maxBodyBytes);
      addField(form, part.fieldname, value);
    }
  } catch (error) {
    throw explain(error);
  }
  return Object.fromEntries(form);
}

async function readFile(part: Extract<Multipart, { type: 'file' }>, maxBytes: number): Promise<string> {
  const data = await part.toBuffer();
  if (data.length > maxBytes) throw tooLarge(maxBytes);
  if (data.length === 0)
    throw new ServiceError('invalid_request', `${part.fieldname}: the file is empty.`, { param: part.fieldname });
  // Only the content tells what it is.
  return `data:application/octet-stream;base64,${data.toString('base64')}`;
}

function readText(part: Extract<Multipart, { type: 'field' }>): JsonValue {
  const { fieldname, valueTruncated } = part;
  const value = String(part.value);
  if (valueTruncated || !isCleanText(value) || !isCleanText(fieldname))
    throw new ServiceError(
      'invalid_request',
      `${fieldname.slice(0, 64).toWellFormed()}: expected valid Unicode without NUL, at most ${LONGEST_FIELD_BYTES} bytes.`,
      { param: fieldname.slice(0, 64).toWellFormed() },
    );
  const name = NAME.exec(fieldname)?.[1] ?? fieldname;
  if (TEXTS.includes(name)) return value;
  if (value === 'true' || value === 'false') return value === 'true';
  return /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,9})?$/.test(value) ? Number(value) : value;
}

function addField(form: Map<string, JsonValue>, fieldName: string, value: JsonValue): void {
  const [, name = fieldName, inner] = NAME.exec(fieldName) ?? [];
  const known = form.get(name);
  if (inner !== undefined && inner !== '') {
    const fields = typeof known === 'object' && known !== null && !Array.isArray(known) ? Object.entries(known) : [];
    form.set(name, Object.fromEntries([...fields, [inner, value]]));
  } else if (known === undefined) form.set(name, inner === '' ? [value] : value);
  else form.set(name, [...(Array.isArray(known) ? known : [known]), value]);
}

function tooLarge(maxBytes: number): ServiceError {
  return new ServiceError(
    'body_too_large',
    `The form is larger than the maximum of ${maxBytes} bytes (setting DARKROOM_MAX_BODY_MB).`,
  );
}

/** Where the parser gives no code, it tells of a fault of the form. */
function explain(error: unknown): unknown {
  if (error instanceof ServiceError || typeof (error as { code?: unknown }).code === 'string') return error;
  return new ServiceError('invalid_request', `The form is malformed: ${(error as Error).message}.`, { cause: error });
}
