export type FetchFaultKind =
  /** The URL or an address behind its name is one that may not be reached. */
  | 'refused_address'
  | 'dns'
  /** No connection came about. */
  | 'connect'
  | 'timeout'
  | 'too_large'
  | 'redirects'
  /** The connection broke, or what came over it is not HTTP as we take it. */
  | 'protocol';

/** Why a fetch failed, in a sentence fit for whoever wrote the URL: it names no address they did not write. */
export class FetchFault extends Error {
  readonly kind: FetchFaultKind;
  /** `no` when certainly no byte of the request went out, so that sending it again cannot do anything twice. */
  readonly sent: 'no' | 'unknown';

  constructor(kind: FetchFaultKind, message: string, options: { sent: 'no' | 'unknown'; cause?: unknown }) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'FetchFault';
    this.kind = kind;
    this.sent = options.sent;
  }
}
