import type { ServerProcess } from './server-process.ts';
import type { ServerView } from './server-spec.ts';

/** A server from its start to the end of its process. */
export interface RunningServer {
  readonly name: string;
  readonly memoryBytes: number;
  readonly startedAt: string;
  state: 'starting' | 'ready' | 'busy' | 'stopping';
  process: ServerProcess | null;
  idleTimer: NodeJS.Timeout | undefined;
  step: ServerView['step'];
  usedAt: number;
}

const VIEWED_LINES = 50;

/** Returns the last lines that a server has printed. */
export function lastLinesOf({ process }: RunningServer): readonly string[] {
  return process?.output.tail(VIEWED_LINES) ?? [];
}

/** Describes a server for operators, whether it runs or not. */
export async function viewServer(
  name: string,
  known: {
    readonly server: RunningServer | undefined;
    /** The reason why its orders are refused; null = they are not. */
    readonly refusal: string | null;
    /** The reason for its last failure. */
    readonly lastReason: string | null;
    /** Whether orders wait for it. */
    readonly isAwaited: boolean;
    /** Lines printed by its last process. */
    readonly lastLog: readonly string[];
  },
): Promise<ServerView> {
  const { server, refusal, isAwaited } = known;
  const process = server?.process ?? null;
  return {
    name,
    state: server?.state ?? (refusal !== null ? 'unavailable' : isAwaited ? 'waiting' : 'stopped'),
    reason: refusal ?? known.lastReason,
    pid: process?.pid ?? null,
    port: process?.port ?? null,
    network: process?.network ?? null,
    memory_bytes: (await process?.memoryBytes()) ?? null,
    step: server?.step ?? null,
    started_at: server?.startedAt ?? null,
    log: server !== undefined && process !== null ? lastLinesOf(server) : known.lastLog,
  };
}
