/** Times that are too long for tests. Additions add theirs (`declare module`). */
export interface AddedTempo {
  /** Interval of the additions' checks of the service, and the pauses between their attempts to send a message. */
  readonly addedEveryMs?: number;
  readonly addedPausesMs?: readonly number[];
  /** The lease of a claimed webhook delivery, and the pauses between its attempts. */
  readonly deliveryLeaseMs?: number;
  readonly deliveryPausesMs?: readonly number[];
}
