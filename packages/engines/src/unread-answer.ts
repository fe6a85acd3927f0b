/** Maximum bytes of a body that are passed on unread. */
export const MOST_UNREAD_BYTES = 16 * 1024 * 1024;

/** An answer to an order that nothing could be read of, for the operator. */
export interface UnreadAnswer {
  /** The body, up to that many bytes, in which names may stand for the files. */
  readonly bytes: Uint8Array;
  /** The files that were decoded while the body arrived. */
  readonly files: readonly Uint8Array[];
}
