/*
 * The parts for a service that decodes nothing in its own process: no decoder, no HTTP client and no signing library is
 * loaded with them. Three parts have entries of their own:
 * - `process`: children, threads and commands load it first, and should load no more.
 * - `structure`: the forty files that read formats byte by byte; only code that passes files on needs them.
 * - `decoding`: sharp, mediabunny and the signing of files, for guarded processes.
 */
export { addressWithoutSecrets } from './address-without-secrets.ts';
export { cacheBase64, cachedBase64 } from './base64-cache.ts';
export { type Carried, MediaSearch } from './carried-media.ts';
export { hasCodecs } from './has-codecs.ts';
export { allocateBytes, freeBytes, readBytes } from './large-bytes.ts';
export type { Mark } from './marks/mark.ts';
export { certificatesOf, type Signing, signingFault } from './marks/signing.ts';
export { isRetryable, MediaFault, MediaUnavailable } from './media-fault.ts';
export { OUTPUT_LIMITS, UNTRUSTED_LIMITS } from './media-limits.ts';
export { createMediaTools, type MediaCall, type MediaTools } from './media-tools.ts';
export { canonicalAddress, isAddressRange, judgeUrl, networkOf } from './net/address-rules.ts';
export { FetchFault, type FetchFaultKind, isPassingStatus } from './net/fetch-fault.ts';
export type { Lookup } from './net/judged-connect.ts';
export { isLoopback, isWildcard, loopbackUrl, publicPath } from './net/loopback-url.ts';
export { type OutgoingProxies, proxyFor, readProxy, shownProxy } from './net/outgoing-proxies.ts';
export { PieceWindow } from './net/piece-window.ts';
export type { FetchBody } from './net/request-body.ts';
export { MAX_HEADER_BYTES, refusePieces } from './net/response-limits.ts';
export { retryAfterOf } from './net/retry-after.ts';
export { type CalledServer, createTrustedFetch, type FetchOptions, type TrustedFetch } from './net/trusted-fetch.ts';
export type { Area, Sides } from './picture-geometry.ts';
export type { Probe } from './probe.ts';
export { createRedactor, type Redact } from './redact-secrets.ts';
export {
  createReferences,
  DEFAULT_REFERENCE_LIMITS,
  ReferenceFault,
  type ReferenceLimits,
  type References,
} from './references.ts';
export { type LocalFile, type PutOptions, type Storage, StorageError, type StoredFile, withLength } from './storage.ts';
export { LONG_STEP, Steps, takeTurn } from './take-turn.ts';
export { temporaryPath } from './temporary-path.ts';

/** Loads the address checks for connections of undici, together with that HTTP client. */
export const loadJudgedConnect = () => import('./net/judged-connect.ts');
