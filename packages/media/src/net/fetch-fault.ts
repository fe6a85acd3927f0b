export type FetchFaultKind =
  /** The URL, or an address its name resolves to, may not be reached. */
  | 'refused_address'
  | 'dns'
  /** The connection could not be established. */
  | 'connect'
  /** The outgoing proxy did not open a connection. */
  | 'proxy'
  | 'timeout'
  | 'too_large'
  /** The headers of the response are larger than `MAX_HEADER_BYTES`. */
  | 'headers'
  /** The body arrives in chunks of a few bytes. */
  | 'pieces'
  | 'redirects'
  /** The body cannot be decoded with the content coding that its header names. */
  | 'encoding'
  /** The connection broke, or the response is not HTTP that we accept. */
  | 'protocol';

/** Kinds that may pass. The others recur on every retry: an address, a size and a header do not change. */
const PASSING: readonly FetchFaultKind[] = ['dns', 'connect', 'proxy', 'timeout', 'protocol'];

/** Error of a failed fetch. The message may be shown to the author of the URL: it contains no other address. */
export class FetchFault extends Error {
  readonly kind: FetchFaultKind;
  /** `no` if certainly no byte of the request was sent, so that a retry cannot do anything twice. */
  readonly sent: 'no' | 'unknown';

  constructor(kind: FetchFaultKind, message: string, options: { sent: 'no' | 'unknown'; cause?: unknown }) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'FetchFault';
    this.kind = kind;
    this.sent = options.sent;
  }

  /** Whether a retry of the request may succeed. */
  get isPassing(): boolean {
    return PASSING.includes(this.kind);
  }
}

/**
 * Tells whether a retry of a download may be answered with 200 instead of this status.
 * @param isNew whether the file was made just now: it may not be readable everywhere yet, so an error may pass
 */
export function isPassingStatus(status: number, { isNew = false } = {}): boolean {
  return isNew ? status >= 400 : status >= 500 || [408, 425, 429].includes(status);
}
