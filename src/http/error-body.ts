import { type ErrorBodyView, type ErrorCode, errorFromFaults, ServiceError, world } from '@darkroom-service/contract';
import { StorageError } from '@darkroom-service/media';
import { machineFaultOf } from '@darkroom-service/media/process';
import { CatalogFault } from '../catalog/catalog.ts';

/**
 * Returns the body of an error answer.
 * @param docsUrl the address of the guide; null = there is none
 * @param doesItOnce whether a repetition of the request cannot take effect a second time.
 */
export function errorBody(
  error: ServiceError,
  requestId: string,
  docsUrl: string | null,
  doesItOnce: boolean = false,
): ErrorBodyView {
  return {
    error: {
      status: error.status,
      code: error.code,
      message: error.message.toWellFormed(),
      param: error.param?.toWellFormed() ?? null,
      details: detailsOf(error),
      retryable: error.retryable || (error.outcomeUnknown && doesItOnce),
      request_id: requestId,
      ...(docsUrl === null ? {} : { docs_url: `${docsUrl}#error-${error.code}` }),
    },
    timestamp: new Date(world.now()).toISOString(),
  };
}

/** Returns the details with every fault of a request, even if it has only one. */
function detailsOf({ details, param, code, message, suggestion }: ServiceError): readonly object[] {
  const own = { param, code, message, ...(suggestion === null ? {} : { suggestion }) };
  const all: readonly object[] = details.length === 0 && param !== null ? [own] : details;
  return all.map((detail) => Object.fromEntries(Object.entries(detail).map(wellFormed)));
}

/** Repairs a text, since a quoted part of one may end within a character. */
function wellFormed([name, value]: [string, unknown]): [string, unknown] {
  return [name, typeof value === 'string' ? value.toWellFormed() : value];
}

/** Returns the headers that belong to an error. */
export function errorHeaders(error: ServiceError): Record<string, string> {
  const headers: Record<string, string> = { ...error.headers, 'cache-control': 'no-store' };
  if (error.retryAfterSeconds !== null)
    headers['retry-after'] = String(Math.max(1, Math.ceil(error.retryAfterSeconds)));
  return headers;
}

const OF_FASTIFY: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  FST_ERR_BAD_URL: ['invalid_request', 'The URL is not valid percent-encoded UTF-8.'],
  FST_ERR_CTP_BODY_TOO_LARGE: ['body_too_large', 'The body is too large.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [
    'unsupported_media_type',
    'The Content-Type of the body is not accepted. Send application/json; an address that takes files also takes multipart/form-data.',
  ],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['invalid_request', 'The length of the body differs from Content-Length.'],
  FST_ERR_CTP_INVALID_TYPE: ['unsupported_media_type', 'The header Content-Type is invalid.'],
  FST_REQ_FILE_TOO_LARGE: ['body_too_large', 'The file is too large.'],
  FST_PARTS_LIMIT: ['invalid_request', 'The form has too many parts.'],
  FST_FILES_LIMIT: ['invalid_request', 'The form has too many files.'],
  FST_FIELDS_LIMIT: ['invalid_request', 'The form has too many fields.'],
  FST_INVALID_MULTIPART_CONTENT_TYPE: ['unsupported_media_type', 'The multipart body has no valid boundary.'],
  ERR_STREAM_PREMATURE_CLOSE: ['invalid_request', 'The body ended before it was complete.'],
  ECONNRESET: ['invalid_request', 'The connection ended before the body was complete.'],
};

/**
 * Returns the error that a caller sees for any thrown value. Unknown errors become `internal_error`, so that no
 * internal text leaks.
 */
export function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  if (error instanceof StorageError) return ofStorage(error);
  if (error instanceof CatalogFault && error.faults.length > 0) return ofCatalog(error);
  const { code, statusCode } = error as { code?: unknown; statusCode?: unknown };
  const known = typeof code === 'string' ? OF_FASTIFY[code] : undefined;
  if (known !== undefined) return new ServiceError(known[0], known[1], { cause: error });
  if (statusCode === 413) return new ServiceError('body_too_large', 'The body is too large.', { cause: error });
  if (statusCode === 415)
    return new ServiceError('unsupported_media_type', 'The Content-Type of the body is not accepted.', {
      cause: error,
    });
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500)
    return new ServiceError('invalid_request', 'The request is malformed.', { cause: error });
  if (machineFaultOf(error) !== null)
    return new ServiceError('service_unavailable', 'The service cannot do this now. Retry later.', {
      retryAfterSeconds: 10,
      cause: error,
    });
  return new ServiceError(
    'internal_error',
    'The service failed. If it fails again, send the operator the request_id.',
    { cause: error },
  );
}

function ofCatalog({ faults }: CatalogFault): ServiceError {
  return errorFromFaults(
    faults.map(({ file, entry, message }) => ({
      param: entry,
      code: 'invalid_request',
      message: `${file}: ${message}. The current catalog stays in use.`,
    })),
  );
}

function ofStorage(error: StorageError): ServiceError {
  if (error.kind === 'not_found') return new ServiceError('outputs_expired', 'The file was erased.', { cause: error });
  if (error.kind === 'full') {
    return new ServiceError('storage_full', 'The service has no space for files now. Retry later.', {
      retryAfterSeconds: 60,
      cause: error,
    });
  }
  return new ServiceError('service_unavailable', 'The file storage cannot be reached now. Retry later.', {
    retryAfterSeconds: 10,
    cause: error,
  });
}
