/** The response headers of the interface, as components of the OpenAPI document. */
const text = { type: 'string' } as const;

export const HEADERS = {
  'X-Request-Id': { description: 'The id of the request: yours if you sent one, otherwise a new one.', schema: text },
  RateLimit: {
    description: 'What is left of the limits that the request uses: `"creates";r=59;t=60`.',
    schema: text,
  },
  'RateLimit-Policy': {
    description: 'The limits that the request uses: `"creates";q=60;qu="requests";w=60`.',
    schema: text,
  },
  'Retry-After': { description: 'Seconds to wait before the next request.', schema: { type: 'integer', minimum: 1 } },
  ETag: { description: 'The version of the answer. Send it as If-None-Match.', schema: text },
  Location: { description: 'The URL of the new resource, or of the file.', schema: { type: 'string', format: 'uri' } },
  'Idempotent-Replayed': {
    description: '`true` if the Idempotency-Key was known: nothing was done, ordered or charged again.',
    schema: { type: 'string', enum: ['true'] },
  },
  'Preference-Applied': { description: '`wait=N` if the answer waited, up to N seconds, for the task.', schema: text },
  Deprecation: { description: 'Since when the model is deprecated, as @ and seconds since 1970.', schema: text },
  Sunset: { description: 'When the deprecated model is retired.', schema: text },
  Link: { description: 'The model to use instead, as rel="successor-version".', schema: text },
  'WWW-Authenticate': { description: 'Always `Bearer`.', schema: text },
  Allow: { description: 'The methods that the URL accepts.', schema: text },
  'Accept-Ranges': { description: 'Always `bytes`.', schema: text },
  'Content-Range': { description: 'The range that the answer contains.', schema: text },
  'Content-Disposition': { description: 'The file name, and whether a browser saves or shows the file.', schema: text },
  'Cache-Control': { description: 'How long the answer may be kept.', schema: text },
} as const;
type HeaderName = keyof typeof HEADERS;

const EVERYWHERE: readonly HeaderName[] = ['X-Request-Id'];
const LIMITED: readonly HeaderName[] = ['RateLimit', 'RateLimit-Policy'];
const FILE: readonly HeaderName[] = ['ETag', 'Accept-Ranges', 'Content-Disposition', 'Cache-Control'];
const WAITED: readonly HeaderName[] = ['Preference-Applied'];
const CREATED: readonly HeaderName[] = ['Location', ...WAITED, 'Deprecation', 'Sunset', 'Link'];
const CACHED: readonly HeaderName[] = ['ETag', 'Cache-Control'];

/** Headers of successful answers, by operation id and status. */
const OF_SUCCESS: Readonly<Record<string, Readonly<Record<string, readonly HeaderName[]>>>> = {
  createImage: { 201: CREATED },
  createVideo: { 201: CREATED },
  createImageAction: { 201: CREATED },
  getImage: { 200: [...CACHED, 'Retry-After', ...WAITED], 304: CACHED },
  getVideo: { 200: [...CACHED, 'Retry-After', ...WAITED], 304: CACHED },
  getCatalog: { 200: CACHED, 304: CACHED },
  listModels: { 200: CACHED, 304: CACHED },
  getModel: { 200: CACHED, 304: CACHED },
  uploadFile: { 201: ['Location'] },
  getImageContent: { 200: FILE, 206: [...FILE, 'Content-Range'], 302: ['Location'], 304: FILE },
  getVideoContent: { 200: FILE, 206: [...FILE, 'Content-Range'], 302: ['Location'], 304: FILE },
  downloadFile: { 200: FILE, 206: [...FILE, 'Content-Range'], 302: ['Location'], 304: FILE },
};

const OF_FAILURE: Readonly<Record<string, readonly HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  409: ['Retry-After'],
  416: ['Content-Range'],
  429: ['Retry-After'],
  503: ['Retry-After'],
  default: ['Allow', 'Retry-After'],
};

/** Returns the statuses of an operation that have neither a body nor a schema. */
export function bodilessOf(id: string): Readonly<Record<string, string>> {
  const statuses = Object.keys(OF_SUCCESS[id] ?? {});
  return {
    ...(statuses.includes('302') ? { 302: 'The storage has the file at this address.' } : {}),
    ...(statuses.includes('304') ? { 304: 'Nothing changed since the ETag in If-None-Match.' } : {}),
  };
}

/**
 * Returns the references to the headers of an answer.
 * @param is.limited whether the operation counts against the limits of a key
 * @param is.repeatable whether it takes an Idempotency-Key
 */
export function headersOf(
  id: string,
  status: string,
  is: { readonly limited: boolean; readonly repeatable: boolean },
): Record<string, { readonly $ref: string }> {
  const names = [
    ...EVERYWHERE,
    ...(is.limited ? LIMITED : []),
    ...(is.repeatable && status.startsWith('2') ? (['Idempotent-Replayed'] as const) : []),
    ...(OF_SUCCESS[id]?.[status] ?? []),
    ...(OF_FAILURE[status] ?? []),
  ];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
