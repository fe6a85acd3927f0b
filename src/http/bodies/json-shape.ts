import { type JsonShape, ServiceError } from '@darkroom-service/contract';

/** The limits of a JSON body. Media inside `data:` strings are limited by the size of the whole body only. */
export const JSON_LIMITS = { bytesOutsideData: 262_144, values: 2_000, names: 256, depth: 32 } as const;

/** Tells whether `assertShape` accepts a shape. */
export function isWithinLimits({ bytesOutsideData, values, names, depth }: JsonShape): boolean {
  return (
    bytesOutsideData <= JSON_LIMITS.bytesOutsideData &&
    values <= JSON_LIMITS.values &&
    names <= JSON_LIMITS.names &&
    depth <= JSON_LIMITS.depth
  );
}

/**
 * A body is measured until it is beyond a limit, so the message says how much it has at least.
 * @throws ServiceError that names the limit and what was found: `body_too_large`, or `invalid_request` for the shape.
 */
export function assertShape(shape: JsonShape): void {
  const { bytesOutsideData, values, names, depth } = shape;
  if (bytesOutsideData > JSON_LIMITS.bytesOutsideData) {
    throw new ServiceError(
      'body_too_large',
      `The body has at least ${bytesOutsideData} bytes outside of data: strings; the limit is ${JSON_LIMITS.bytesOutsideData} bytes. Send media as data: URIs, or upload them with POST /v1/files.`,
    );
  }
  const refuse = (what: string) => {
    throw new ServiceError('invalid_request', `The body ${what}.`);
  };
  if (depth > JSON_LIMITS.depth)
    refuse(`nests objects and arrays at least ${depth} levels deep; the limit is ${JSON_LIMITS.depth}`);
  if (names > JSON_LIMITS.names) refuse(`has an object of at least ${names} names; the limit is ${JSON_LIMITS.names}`);
  if (values > JSON_LIMITS.values) refuse(`has at least ${values} values; the limit is ${JSON_LIMITS.values}`);
}
