import type { FastifyRequest } from 'fastify';
import type { JsonObject } from '../../base/canonical-json.ts';
import { ServiceError } from '../../base/errors.ts';
import type { FormFile } from '../../openai/image-inputs.ts';
import type { TaskServices } from '../../tasks/task-services.ts';
import { callerOf } from '../authenticate.ts';

/** The parts of a multipart form. */
export interface Form {
  /** All values are text. */
  readonly fields: JsonObject;
  readonly files: readonly FormFile[];
}

/** Limits of a form's parts; `@fastify/multipart` enforces them. */
export const FORM_LIMITS = { files: 20, fields: 60, parts: 80, fieldSize: 262_144, headerPairs: 100 } as const;

/**
 * Reads a form into memory, within the body budget of its key.
 * @returns the form, and a function that returns the budget
 * @throws ServiceError `body_too_large`, `rate_limited`, `invalid_request`
 */
export async function readForm(
  services: TaskServices,
  request: FastifyRequest,
  maxBytes: number,
): Promise<Form & { readonly release: () => void }> {
  const announced = Number(request.headers['content-length'] ?? maxBytes);
  if (announced > maxBytes) throw tooLarge(maxBytes);
  const share = services.budgets.acquire(callerOf(request).id, 'body_bytes', announced);
  try {
    const fields: [string, string][] = [];
    const files: FormFile[] = [];
    let total = 0;
    for await (const part of partsOf(request)) {
      if (part.type === 'field') {
        fields.push([part.fieldname, String(part.value)]);
        continue;
      }
      const bytes = await part.toBuffer();
      total += bytes.length;
      if (total > maxBytes) throw tooLarge(maxBytes);
      files.push({ name: part.fieldname, bytes, contentType: part.mimetype });
    }
    return { fields: Object.fromEntries(fields), files, release: () => share.release() };
  } catch (error) {
    share.release();
    throw malformed(error);
  }
}

async function* partsOf(request: FastifyRequest) {
  yield* request.parts({ limits: FORM_LIMITS });
}

function tooLarge(maxBytes: number): ServiceError {
  return new ServiceError(
    'body_too_large',
    `The form is larger than ${maxBytes} bytes (setting DARKROOM_MAX_BODY_MB). Send smaller images.`,
  );
}

/** The parser of forms gives most of its errors no code. */
function malformed(error: unknown): unknown {
  if (error instanceof ServiceError || typeof (error as { code?: unknown }).code === 'string') return error;
  return new ServiceError('invalid_request', `The multipart body is malformed: ${(error as Error).message}.`, {
    cause: error,
  });
}
