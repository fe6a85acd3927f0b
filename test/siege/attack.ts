/** The target of an attack: one service, and what any stranger or holder of a test key could know of it. */
export interface Target {
  readonly url: string;
  /** A key of an account of its own, with the default limits. */
  readonly testKey: string;
  /** A live key of an account of its own, whose orders a hostile upstream answers. */
  readonly upstreamKey: string;
  /** The signed event address of a test task that never ends. */
  readonly eventsUrl: string;
  /**
   * A server of the attacker that sends a picture at one byte every 20 s, and below `/pieces/` megabytes in pieces of
   * one byte.
   */
  readonly trickleUrl: string;
}

/** The actions of an attack, and how many bytes it sent: it must not cost more processor time than these. */
export interface Deed {
  readonly did: string;
  readonly megabytes: number;
}

/** One way to harm the service. It is bounded in count by itself and in time by its signal. */
export interface Attack {
  readonly name: string;
  readonly who: 'anonymous' | 'test key' | 'client token' | 'upstream';
  /**
   * The customer's p99 and the longest pause at most, as a multiple of what they were at rest: for an attack whose
   * connections alone take time. Absent = the limits of all attacks.
   */
  readonly timesAtRest?: number;
  /** Makes what it sends, before its time begins. */
  readonly prepare?: () => Promise<Buffer>;
  /**
   * Resolves with what it did, once it has done all of it or `signal` has ended it. `prepared` is empty where nothing
   * was prepared.
   */
  run(target: Target, signal: AbortSignal, prepared: Buffer): Promise<string | Deed>;
}
