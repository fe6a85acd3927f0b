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
  /** The body comes in pieces of a few bytes. */
  | 'pieces'
  | 'redirects'
  /** The body cannot be decoded with the content coding that its header names. */
  | 'encoding'
  /** The connection broke, or the response is not HTTP that we accept. */
  | 'protocol';

/** The others are the answer to every repeat: an address, a size and a header do not change. */
const PASSING: readonly FetchFaultKind[] = ['dns', 'connect', 'proxy', 'timeout', 'protocol'];

/** Why a fetch failed. The message may be shown to whoever wrote the URL: it contains no address they did not write. */
export class FetchFault extends Error {
  readonly kind: FetchFaultKind;
  /** `no` when certainly no byte of the request was sent, so that repeating it cannot do anything twice. */
  readonly sent: 'no' | 'unknown';

  constructor(kind: FetchFaultKind, message: string, options: { sent: 'no' | 'unknown'; cause?: unknown }) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'FetchFault';
    this.kind = kind;
    this.sent = options.sent;
  }

  /** Whether a repeat of the request may succeed. */
  get isPassing(): boolean {
    return PASSING.includes(this.kind);
  }
}

/**
 * Tells whether a repeat of a download may answer 200 instead of this status.
 * @param isNew the file was made just now: it may not be readable everywhere yet, so an error may pass
 */
export function isPassingStatus(status: number, { isNew = false } = {}): boolean {
  return isNew ? status >= 400 : status >= 500 || [408, 425, 429].includes(status);
}
