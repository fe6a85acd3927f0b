import type { RunningPeer } from './peer-process.ts';

/** A way to run orders, in comparison. */
export interface Peer {
  readonly name: string;
  /** Returns what has to be installed first; null if nothing is missing. */
  missing(): string | null;
  /** Makes an empty installation. Its databases run from now on. */
  open(world: World): Promise<Installation>;
}

export interface World {
  /** A directory for files of the peer. */
  readonly directory: string;
  /** The URL of the upstream, which also takes webhooks at `/hook`. */
  readonly upstream: string;
}

export interface Installation {
  /** Starts the one process that takes orders, and runs them if that is wanted. */
  start(runsOrders: boolean): Promise<RunningPeer>;
  /** Stores so many waiting orders. @returns the ids of some of them */
  fill(running: RunningPeer, count: number): Promise<readonly string[]>;
  /** Makes the databases write what they have in memory. */
  flush(): Promise<void>;
  /** The processes of its databases. */
  databases(): Promise<readonly number[]>;
  readonly orders: OrderFormat;
  close(): Promise<void>;
}

/** A database for a hand-made service, and the variables that lead to it. */
export interface PeerDatabase extends Pick<Installation, 'flush' | 'databases' | 'close'> {
  readonly env: Readonly<Record<string, string>>;
}

/** How orders are placed and asked for. */
export interface OrderFormat {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  body(prompt: string): object;
  idOf(answer: unknown): string;
  /** An answer's status: `succeeded` or `failed` once the order has ended. */
  statusOf(answer: unknown): string;
  pathOf(id: string): string;
}
