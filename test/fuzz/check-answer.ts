import { ERROR_TABLE } from '@darkroom-service/contract';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { JsonSchema } from '../helpers/json-schema.ts';
import type { OpenApiDocument } from '../helpers/openapi-document.ts';
import type { Holder } from './holders.ts';
import { type FuzzRequest, isCreate } from './make-request.ts';

export interface FuzzAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** An answer that is checked against nothing yet: each part may be missing. */
interface AnyBody {
  readonly data?: { readonly task_id?: unknown };
  readonly error?: { readonly code?: unknown; readonly status?: unknown; readonly message?: unknown };
}

/** Tells what is wrong with an answer; null where nothing is. */
export type AnswerCheck = (request: FuzzRequest, answer: FuzzAnswer) => string | null;

/** Codes that a service may answer with 503 while nothing of it is broken. */
const PASSING = ['model_unavailable', 'service_unavailable', 'storage_full', 'shutting_down'];

/** Holds every answer to the document: its status, its schema, its codes, and that it tells nobody of anybody else. */
export function createAnswerCheck(document: OpenApiDocument, holders: readonly Holder[]): AnswerCheck {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: false });
  ajv.addSchema({ $id: 'document', components: document.components });
  const validators = new Map<string, ValidateFunction | null>();

  function validatorOf(request: FuzzRequest, status: number): ValidateFunction | null | undefined {
    const { method, path, responses } = request.operation;
    const name = `${method} ${path} ${status}`;
    if (!validators.has(name)) {
      const response = responses[status] ?? responses[`${Math.floor(status / 100)}XX`];
      if (response === undefined) return undefined;
      const schema = response.content?.['application/json']?.schema;
      validators.set(name, schema === undefined ? null : ajv.compile(inDocument(schema)));
    }
    return validators.get(name);
  }

  return (request, answer) => {
    const { status, headers, text } = answer;
    const validate = validatorOf(request, status);
    if (validate === undefined && status !== 405) return `the document does not name the status ${status}`;
    // Results of batches are lines: application/jsonl.
    const isJson = /^application\/json(?:;|$)/.test(headers.get('content-type') ?? '');
    const body = (isJson && text !== '' ? JSON.parse(text) : null) as AnyBody | null;
    if (status >= 400) {
      const code = body?.error?.code;
      if (typeof code !== 'string' || !(code in ERROR_TABLE)) return `an error without a code of the contract: ${text}`;
      if (body?.error?.status !== status) return `the body says ${body?.error?.status}`;
      if (status >= 500 && !(status === 503 && PASSING.includes(code))) return `${code}: ${body.error.message}`;
    }
    if (isJson && validate !== null && validate !== undefined && !validate(body))
      return `does not fit its schema: ${ajv.errorsText(validate.errors)}`;
    if (request.repeats !== null && isCreate(request) && status === 201 && body?.data?.task_id !== request.repeats)
      return `a repetition of ${request.repeats} made ${body?.data?.task_id}`;
    return foreignMark(request, text, holders);
  };
}

function foreignMark({ holder, body }: FuzzRequest, text: string, holders: readonly Holder[]): string | null {
  if (holder?.mode === 'admin') return null;
  for (const other of holders) {
    if (other === holder || !text.includes(other.mark)) continue;
    // An error may repeat what the request itself said.
    if (typeof body === 'string' && body.includes(other.mark)) continue;
    return `tells ${holder?.name ?? 'a stranger'} of ${other.name}`;
  }
  return null;
}

/** References of the document point at the schema that holds its components. */
function inDocument(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/'));
}
