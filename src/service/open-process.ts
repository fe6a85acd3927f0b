import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import {
  acquireProcessLock,
  HEARTBEAT_TEMPO,
  type Heartbeat,
  type HeartbeatTempo,
  type ProcessLock,
  startHeartbeat,
} from '@darkroom-service/store';
import { Gauge, type Registry } from 'prom-client';
import type { Log } from '../base/log.ts';
import type { Database } from '../database/database.ts';
import type { Config } from './config/config.ts';
import { recordShutdown } from './record-shutdown.ts';

/** Proves to other processes that this process is alive. */
export interface OwnProcess {
  /** The process's id, as in the tasks it has claimed. */
  readonly id: string;
  readonly lock: ProcessLock;
  readonly heartbeat: Heartbeat;
}

/** Times that are too long for tests. */
export interface ProcessTempo {
  /** The silence after which a process loses its tasks to others, and the pause between heartbeats. */
  readonly lease?: { readonly ms: number; readonly renewEveryMs: number };
  /** Time for which the event loop may be blocked before the process is ended, and the interval of that check. */
  readonly watchdog?: { readonly standsAtMostMs: number; readonly everyMs: number };
}

/** Returns the times of heartbeats, with a test's overrides. */
export function heartbeatTempo({ lease, watchdog }: ProcessTempo = {}): HeartbeatTempo {
  return {
    ...HEARTBEAT_TEMPO,
    ...(lease === undefined ? {} : { leaseMs: lease.ms, beatEveryMs: lease.renewEveryMs }),
    ...(watchdog === undefined ? {} : { maxLoopBlockMs: watchdog.standsAtMostMs, watchEveryMs: watchdog.everyMs }),
  };
}

/**
 * Acquires this process's lock and then starts its heartbeats: a row without a lock would look like an ended process.
 */
export function openProcess(
  id: string,
  config: Pick<Config, 'role' | 'dataDirectory' | 'databaseUrl' | 'databasePath'>,
  tempo: HeartbeatTempo,
  log: Log,
): OwnProcess {
  const host = hostname();
  const lock = acquireProcessLock(join(config.dataDirectory, 'processes'), id);
  const own = {
    id,
    host,
    role: config.role,
    machine: machineId() ?? host,
    pid: process.pid,
    version: readVersion(),
    lockPath: lock.path,
  };
  const database = { url: config.databaseUrl, path: config.databasePath };
  const heartbeat = startHeartbeat({ own, database, tempo }, (error) =>
    log.error({ err: error }, 'heartbeat thread failed; restarting it'),
  );
  let isFailing = false;
  heartbeat.onReport((report) => {
    const fails = report.kind === 'failed';
    if (fails && !isFailing) log.error({ reason: report.message }, 'heartbeat failed; retrying');
    if (!fails && isFailing) log.info('heartbeat succeeded again');
    isFailing = fails;
  });
  return { id, lock, heartbeat };
}

/** Registers a metric for the age of the last heartbeat. */
export function measureHeartbeat(registry: Registry, { heartbeat }: OwnProcess): void {
  new Gauge({
    name: 'darkroom_heartbeat_age_seconds',
    help: 'Time since the last confirmed heartbeat of this process. Above 15 seconds, others take over resumable tasks.',
    registers: [registry],
    collect() {
      const ageMs = heartbeat.ageMs();
      if (Number.isFinite(ageMs)) this.set(ageMs / 1000);
    },
  });
}

/**
 * Ends the heartbeats, says goodbye and releases the lock. If the process still holds tasks, or the database cannot be
 * reached, the free lock stays and proves to others that they can take over its tasks.
 */
export async function closeProcess({ id, lock, heartbeat }: OwnProcess, database: Database): Promise<void> {
  let isEnded = false;
  try {
    await heartbeat.stop();
    isEnded = await database.write('process_ends', (trx) => recordShutdown(trx, id));
  } catch {
    // Others find the lock free.
  } finally {
    lock.release({ keepsFile: !isEnded });
  }
}

/** Identifies the machine until its next boot, since its name alone proves nothing. */
function machineId(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return null;
  }
}

function readVersion(): string {
  const text = readFileSync(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
