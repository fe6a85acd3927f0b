import type { ServerCommand } from './server-process.ts';

/** A server that Darkroom starts when an order needs it. */
export interface ServerSpec {
  readonly name: string;
  /** The port; null = a free one. */
  readonly port: number | null;
  readonly readyPath: string;
  /** Whether the server may open connections to other machines. */
  readonly needsNetwork: boolean;
  /** The main memory that it needs; null = not known. */
  readonly memoryBytes: number | null;
  /** @throws LocalFault if something that it needs is missing */
  command(port: number): Promise<ServerCommand>;
}

/** Limits of the number, the memory and the run time of servers. */
export interface ServerLimits {
  /** Maximum number of servers that run at once. */
  readonly atOnce: number;
  /** The memory that all servers together may use. */
  readonly memoryBytes: number;
  /** A server without an order ends after this time. */
  readonly idleMs: number;
  /** Time within which a server must become ready. */
  readonly loadMs: number;
  /** A server that writes nothing for this long while an order runs is ended. */
  readonly stallMs: number;
  /** The first pause after a crash; it doubles. */
  readonly restartMs: number;
}

/** A server that its user alone may use until it is released. */
export interface ServerLease {
  readonly url: string;
  /** Resolves with the reason if the server ends. */
  readonly ended: Promise<string>;
  /** Receives the steps of the running order. */
  onStep: (step: { readonly done: number; readonly total: number }) => void;
  /** Ends the server, which does not work. It counts as a crash. */
  fail(why: string): Promise<void>;
  /** Ends the server, whose work is no longer wanted. */
  end(why: string): Promise<void>;
  /** @param succeeded whether the server has done its work, so that earlier crashes count no more */
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
  /** Whether the server can reach anything but itself; null while it does not run. */
  readonly network: 'closed' | 'open' | null;
  readonly memory_bytes: number | null;
  /** Steps of the running order. */
  readonly step: { readonly done: number; readonly total: number } | null;
  /** ISO 8601; when it was started. */
  readonly started_at: string | null;
  /** The last lines of the server's output. */
  readonly log: readonly string[];
}
