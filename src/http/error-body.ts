import { type ErrorCode, ServiceError } from '../base/errors.ts';
import { StorageError } from '../storage/storage.ts';

/** Every failure as the wire shows it, whatever layer it comes from. */
export interface ErrorBody {
  readonly error: {
    readonly status: number;
    readonly code: ErrorCode;
    readonly message: string;
    readonly param: string | null;
    readonly details: readonly object[];
    readonly retryable: boolean;
    readonly request_id: string;
    readonly docs_url: string;
  };
  readonly timestamp: string;
}

/** @param doesItOnce whether the request, sent again, cannot do a second time what it may have done already. */
export function errorBody(
  error: ServiceError,
  requestId: string,
  publicUrl: string,
  doesItOnce: boolean = false,
): ErrorBody {
  return {
    error: {
      status: error.status,
      code: error.code,
      message: error.message.toWellFormed(),
      param: error.param?.toWellFormed() ?? null,
      details: detailsOf(error),
      retryable: error.retryable || (error.outcomeUnknown && doesItOnce),
      request_id: requestId,
      docs_url: `${publicUrl}/docs#error-${error.code}`,
    },
    timestamp: new Date().toISOString(),
  };
}

/** Every fault of a request stands in the details, also where it is the only one that could be told. */
function detailsOf({ details, param, code, message }: ServiceError): readonly object[] {
  const all: readonly object[] = details.length === 0 && param !== null ? [{ param, code, message }] : details;
  return all.map((detail) => Object.fromEntries(Object.entries(detail).map(wellFormed)));
}

/** What quotes a part of a text may have cut a character in two. */
function wellFormed([name, value]: [string, unknown]): [string, unknown] {
  return [name, typeof value === 'string' ? value.toWellFormed() : value];
}

/** The headers that belong to an error. */
export function errorHeaders(error: ServiceError): Record<string, string> {
  const headers: Record<string, string> = { ...error.headers, 'cache-control': 'no-store' };
  if (error.retryAfterSeconds !== null)
    headers['retry-after'] = String(Math.max(1, Math.ceil(error.retryAfterSeconds)));
  return headers;
}

const OF_FASTIFY: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  FST_ERR_BAD_URL: ['invalid_request', 'The address is not properly percent-encoded UTF-8.'],
  FST_ERR_CTP_BODY_TOO_LARGE: ['body_too_large', 'The body is larger than is taken here.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [
    'unsupported_media_type',
    'The body has a Content-Type that is not taken here. Send application/json; POST /v1/files takes multipart/form-data or the raw file.',
  ],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['invalid_request', 'The body has another length than Content-Length says.'],
  FST_ERR_CTP_INVALID_TYPE: ['unsupported_media_type', 'The Content-Type cannot be read.'],
  FST_REQ_FILE_TOO_LARGE: ['body_too_large', 'The file is larger than is taken here.'],
  FST_PARTS_LIMIT: ['invalid_request', 'Send one file, as the only part.'],
  FST_FILES_LIMIT: ['invalid_request', 'Send one file, as the only part.'],
  FST_FIELDS_LIMIT: ['invalid_request', 'Send one file, as the only part.'],
  FST_INVALID_MULTIPART_CONTENT_TYPE: ['unsupported_media_type', 'The multipart body has no usable boundary.'],
  ERR_STREAM_PREMATURE_CLOSE: ['invalid_request', 'The body ended before it was complete.'],
  ECONNRESET: ['invalid_request', 'The connection ended before the body was complete.'],
};

/** What a caller is told of anything thrown; null text of ours leaks: what is not known becomes `internal_error`. */
export function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  if (error instanceof StorageError) return ofStorage(error);
  const { code, statusCode } = error as { code?: unknown; statusCode?: unknown };
  const known = typeof code === 'string' ? OF_FASTIFY[code] : undefined;
  if (known !== undefined) return new ServiceError(known[0], known[1], { cause: error });
  if (statusCode === 413)
    return new ServiceError('body_too_large', 'The body is larger than is taken here.', { cause: error });
  if (statusCode === 415)
    return new ServiceError('unsupported_media_type', 'The body has a type that is not taken here.', { cause: error });
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500)
    return new ServiceError('invalid_request', 'The request is malformed.', { cause: error });
  return new ServiceError(
    'internal_error',
    'Something broke on our side. If it stays so, tell the operator the request_id.',
    { cause: error },
  );
}

function ofStorage(error: StorageError): ServiceError {
  if (error.kind === 'not_found')
    return new ServiceError('outputs_expired', 'This file has been erased.', { cause: error });
  if (error.kind === 'full') {
    return new ServiceError('storage_full', 'There is no room for files right now. Try again later.', {
      retryAfterSeconds: 60,
      cause: error,
    });
  }
  return new ServiceError('service_unavailable', 'The file storage cannot be reached right now. Try again later.', {
    retryAfterSeconds: 10,
    cause: error,
  });
}
