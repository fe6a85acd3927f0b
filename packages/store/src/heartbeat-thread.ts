import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { type HeartbeatReport, monotonicMs, RUNNING_AT, type ThreadSettings } from './heartbeat-report.ts';
import { openHeartbeatStore, type PeerRecord } from './heartbeat-store.ts';
import { createLoopWatch } from './loop-watch.ts';
import { lockState } from './process-lock.ts';
import { readRunningRequest } from './running-request.ts';
import { createSilenceWatch } from './silence-watch.ts';

/**
 * Thread that writes a process's heartbeats and ends the process when its event loop is blocked. Started by
 * `heartbeat.ts`.
 */

const { database, own, tempo, shared } = workerData as ThreadSettings;
const turns = new Int32Array(shared, 0, 1);
const openCall = new Int32Array(shared, 4, 1);
const store = openHeartbeatStore(database, own);
// After half a lease without a confirmed heartbeat of our own, other processes get the other half to report again.
const watch = createSilenceWatch(tempo.leaseMs / 2);
const loop = createLoopWatch(tempo.watchEveryMs);
let beating: Promise<void> | null = null;
let facts: string | null = null;

const timers = [setInterval(beatNext, tempo.beatEveryMs), setInterval(watchLoop, tempo.watchEveryMs)];
parentPort?.on('message', (message: 'stop' | { readonly facts: string }) => {
  if (message === 'stop') return void stop();
  facts = message.facts;
  beatNext();
});
beatNext();

function beatNext(): void {
  beating ??= beat().finally(() => {
    beating = null;
  });
}

function watchLoop(): void {
  const stoodForMs = loop.tick(performance.now(), Atomics.load(turns, 0));
  const limitMs = Math.max(tempo.maxLoopBlockMs, Atomics.load(openCall, 0));
  if (stoodForMs >= limitMs) endProcess(stoodForMs);
}

async function beat(): Promise<void> {
  try {
    const peers = await store.beat(facts);
    const silences = watch.observe(performance.now(), peers);
    report({
      kind: 'confirmed',
      atMs: monotonicMs(),
      confirmedForMs: watch.confirmedForMs,
      silent: peers.flatMap((peer) => {
        const silentForMs = silences.get(peer.id) ?? 0;
        const lock = isProvable(peer) ? lockState(peer.lock_path) : 'unknown';
        if (silentForMs < tempo.leaseMs && lock !== 'free') return [];
        const { id, host, beats, lock_path: lockPath, beat_age_ms: beatAgeMs } = peer;
        return [{ id, host, beats, lockPath, lock, silentForMs, beatAgeMs }];
      }),
    });
  } catch (error) {
    report({ kind: 'failed', message: (error as Error).message });
  }
}

/**
 * Tells whether the lock of a process proves anything here: only on the machine where it was taken; processes of an
 * embedded database share one machine.
 */
function isProvable(peer: PeerRecord): boolean {
  return database.url === null || (peer.host === own.host && peer.machine === own.machine);
}

function report(message: HeartbeatReport): void {
  parentPort?.postMessage(message);
}

async function stop(): Promise<void> {
  for (const timer of timers) clearInterval(timer);
  await beating;
  await store.close();
  parentPort?.close();
}

/** Ends the process, since the main thread is blocked and cannot do so itself. */
function endProcess(stoodForMs: number): void {
  const seconds = Math.round(stoodForMs / 1000);
  const request = readRunningRequest(shared, RUNNING_AT);
  say(
    `darkroom: fatal: the event loop of process ${own.pid} (${own.id}, role ${own.role}) has not turned for ${seconds} s. ${request === null ? '' : `${request} `}` +
      'The process ends itself with SIGKILL; start it again. Its tasks go on in another process or after the restart.\n',
  );
  process.kill(process.pid, 'SIGKILL');
}

/** Writes to stderr without blocking, since a stalled reader must not keep the process alive. */
function say(line: string): void {
  let opened: number | null = null;
  try {
    opened = openSync('/dev/stderr', constants.O_WRONLY | constants.O_APPEND | constants.O_NONBLOCK);
  } catch {
    // A socket cannot be reopened.
  }
  try {
    writeSync(opened ?? 2, line);
    if (opened !== null) closeSync(opened);
  } catch {
    // Nobody reads stderr.
  }
}
