export interface ClaimableQueue {
  readonly name: string;
  /** The maximum number of its tasks in flight, over all processes. */
  readonly capacity: number;
  /** The maximum number to claim now; if absent, as many as there is room for. */
  readonly atMost?: number;
  /**
   * Whether one order may test the upstream: then deferred orders that are due reserve no slot, so that any order can
   * be the test order. The test order needs no free slot, since calls that hang may hold all of them. Called when room
   * is counted: by then another order may be the test order.
   */
  readonly hasTrial?: () => boolean;
}
