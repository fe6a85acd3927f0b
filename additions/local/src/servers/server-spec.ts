import type { ServerCommand } from './server-process.ts';

/** A server that Darkroom starts when an order needs it. */
export interface ServerSpec {
  readonly name: string;
  /** Port; null = a free one. */
  readonly port: number | null;
  readonly readyPath: string;
  /** Whether the server may open connections to other machines. */
  readonly needsNetwork: boolean;
  /** Main memory that the server needs, in bytes; null = unknown. */
  readonly memoryBytes: number | null;
  /** @throws LocalFault if a part that it needs is missing */
  command(port: number): Promise<ServerCommand>;
}

/** Limits of the number, the memory and the run time of servers. */
export interface ServerLimits {
  /** Maximum number of servers that run at once. */
  readonly maxServers: number;
  /** Main memory of all servers together, in bytes. */
  readonly memoryBytes: number;
  /** Time after which an idle server is stopped. */
  readonly idleMs: number;
  /** Time within which a server must become ready. */
  readonly loadMs: number;
  /** Time without progress during an order after which a server is stopped. */
  readonly stallMs: number;
  /** First pause after a crash; it doubles. */
  readonly restartMs: number;
}

/** Exclusive use of a running server until `release`. */
export interface ServerLease {
  readonly url: string;
  /** Resolves with the reason if the server ends. */
  readonly ended: Promise<string>;
  /** Receives the steps of the running order. */
  onStep: (step: { readonly done: number; readonly total: number }) => void;
  /** Stops a server that misbehaves. This counts as a crash. */
  fail(why: string): Promise<void>;
  /** Stops a server whose work is no longer needed. */
  end(why: string): Promise<void>;
  /** @param succeeded whether the server has done its work, so that earlier crashes no longer count */
  release(succeeded: boolean): void;
}

export type ServerState = 'stopped' | 'starting' | 'ready' | 'busy' | 'stopping' | 'waiting' | 'unavailable';

/** A model server as operators see it. */
export interface ServerView {
  readonly name: string;
  readonly state: ServerState;
  /** The reason why the server last ended, or cannot be used; null if nothing is wrong. */
  readonly reason: string | null;
  readonly pid: number | null;
  readonly port: number | null;
  /** Network access of the server; null while it does not run. */
  readonly network: 'closed' | 'open' | null;
  readonly memory_bytes: number | null;
  /** Steps of the running order. */
  readonly step: { readonly done: number; readonly total: number } | null;
  /** Start of the server in ISO 8601. */
  readonly started_at: string | null;
  /** The last lines of the server's output. */
  readonly log: readonly string[];
}
