export type FetchFaultKind =
  /** The URL, or an address its name resolves to, may not be reached. */
  | 'refused_address'
  | 'dns'
  /** The connection could not be established. */
  | 'connect'
  | 'timeout'
  | 'too_large'
  | 'redirects'
  /** The connection broke, or the response is not HTTP that we accept. */
  | 'protocol';

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
}
