import { formError, readParts } from '@darkroom-service/addition-common/http/form-parts';
import { cleanText, isCleanText, type JsonObject, type JsonValue, ServiceError } from '@darkroom-service/contract';
import { MediaSearch } from '@darkroom-service/media';
import multipart, { type Multipart } from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { FormFile } from '../mapping/sent-media.ts';
import type { OpenaiHttp } from './openai-http.ts';

/** The parts of a multipart form. */
interface Form {
  /** Text fields. Fields named `metadata[order]` become an object, fields named `tags[]` a list. */
  readonly fields: JsonObject;
  readonly files: readonly FormFile[];
}

/**
 * Limits of a form: the mask, the sixteen images that OpenAI accepts, and some more, so that the model can report too
 * many.
 */
const LIMITS = { files: 20, fields: 60, parts: 80, fieldSize: 262_144, headerPairs: 100 } as const;
const AT_MOST = `at most ${LIMITS.files} files and ${LIMITS.fields} fields`;
/** Maximum number of bytes of a form beside its files, for the form's own lines. */
const FORM_LINES_BYTES = 1_000_000;
const LONGEST_NAME = 64;
const NESTED_NAME = /^([^[\]]+)\[([^[\]]*)\]$/;

/** Makes the routes of a scope accept forms, for `readForm`. */
export async function takeForms(
  forms: FastifyInstance,
  { maxBodyBytes }: Pick<OpenaiHttp, 'maxBodyBytes'>,
): Promise<void> {
  await forms.register(multipart, { limits: { ...LIMITS, fileSize: maxBodyBytes } });
}

/**
 * Reads a form into memory, within the body budget of its key.
 * @returns the form, and a function that returns the budget
 * @throws ServiceError `body_too_large`, `rate_limited`, `invalid_request`
 */
export async function readForm(
  { kernel: { accounts, http }, maxBodyBytes }: Pick<OpenaiHttp, 'kernel' | 'maxBodyBytes'>,
  request: FastifyRequest,
): Promise<Form & { readonly release: () => void }> {
  const longest = maxBodyBytes + FORM_LINES_BYTES;
  const announced = Number(request.headers['content-length'] ?? longest);
  if (announced > longest) throw tooLarge(maxBodyBytes);
  const share = accounts.budgets.take(http.caller(request), 'body_bytes', announced);
  try {
    const fields: [string, string][] = [];
    const files: FormFile[] = [];
    let total = 0;
    const nextPart = readParts(request, AT_MOST);
    for (let part = await nextPart(); part !== undefined; part = await nextPart()) {
      if (part.type === 'field') {
        fields.push([part.fieldname, readText(part)]);
        continue;
      }
      const bytes = await part.toBuffer();
      total += bytes.length;
      if (total > maxBodyBytes) throw tooLarge(maxBodyBytes);
      if (bytes.length === 0)
        throw new ServiceError('invalid_request', `${part.fieldname}: the file is empty.`, { param: part.fieldname });
      files.push({ name: part.fieldname, bytes });
    }
    return { fields: nestFields(fields), files, release: () => share.release() };
  } catch (error) {
    share.release();
    throw formError(error, AT_MOST);
  }
}

/** Reads a text, with the same limits as in JSON. */
function readText({ fieldname, value, valueTruncated }: Extract<Multipart, { type: 'field' }>): string {
  const text = String(value);
  if (!valueTruncated && isCleanText(text) && isCleanText(fieldname)) return text;
  const param = cleanText(fieldname, LONGEST_NAME);
  const remedy = 'Send a file as a part with a filename.';
  const message = `${param}: expected valid Unicode without NUL, at most ${LIMITS.fieldSize} bytes. ${remedy}`;
  throw new ServiceError('invalid_request', message, { param });
}

/** Nests fields. Of equal names the last counts, as in JSON; of media, all are kept. */
function nestFields(sent: readonly (readonly [string, string])[]): JsonObject {
  const fields = new Map<string, JsonValue>();
  const search = new MediaSearch();
  const keep = (name: string, known: JsonValue, text: string): JsonValue =>
    known !== null && search.inspect(name, [known, text]) !== 'nothing' ? [...listOf(known), text] : text;
  for (const [sentName, text] of sent) {
    const [, name = sentName, inner] = NESTED_NAME.exec(sentName) ?? [];
    const known = fields.get(name) ?? null;
    if (inner === undefined) fields.set(name, keep(name, known, text));
    else if (inner === '' || Array.isArray(known) || typeof known === 'string')
      fields.set(name, [...listOf(known), text]);
    else {
      const object = (known ?? {}) as JsonObject;
      const before = Object.hasOwn(object, inner) ? (object[inner] ?? null) : null;
      fields.set(name, { ...object, [inner]: keep(name, before, text) });
    }
  }
  return Object.fromEntries(fields);
}

function listOf(value: JsonValue): JsonValue[] {
  if (Array.isArray(value)) return [...value];
  return value === null ? [] : [value];
}

function tooLarge(maxBytes: number): ServiceError {
  return new ServiceError(
    'body_too_large',
    `The files of the form are larger than ${maxBytes} bytes (setting DARKROOM_MAX_BODY_MB). Send smaller files.`,
  );
}
