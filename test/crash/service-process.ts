import { channel } from 'node:diagnostics_channel';
import fs, { type NoParamCallback, type PathLike } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { BroadcastChannel } from 'node:worker_threads';
import type { Clock } from '@darkroom-service/contract';
import type { Engine } from '@darkroom-service/engines';
import type { CommitHook } from '@darkroom-service/store';
import { preloadInThreads } from '@darkroom-service/testing';
import type { FastifyInstance } from 'fastify';
import { createLog } from '../../src/base/log.ts';
import { handleSignals } from '../../src/cli/run-service.ts';
import type { Tempo } from '../../src/service/service-options.ts';
import { startService } from '../helpers/additions.ts';
import { loadConfig, type Replaced, replaceSettings } from '../helpers/load-config.ts';
import { withUpstreamKeys } from '../helpers/with-upstream-keys.ts';
import '../helpers/lock-order.ts';
import { createPaidEngine, type PaidEngineOptions } from './paid-engine.ts';
import { RENAMES, type ThreadRename } from './thread-renames.ts';

/** The service in a process of its own, which may kill itself at a commit: started by `child-service.ts`. */
export interface ProcessWish {
  readonly variables: Readonly<Record<string, string>>;
  /** How far the service's clock is ahead of the machine's, in milliseconds. */
  readonly aheadMs: number;
  readonly kill: KillPoint | null;
  readonly engines: readonly PaidEngineOptions[];
  /** What names resolve to; others do not resolve. */
  readonly names: Readonly<Record<string, readonly string[]>>;
  readonly tempo?: Tempo | undefined;
  /** How long a request of an OpenAI client is held. */
  readonly holdMs?: number | undefined;
}

/**
 * The process dies at the n-th commit that holds a unit of this name, right before or right after it. `file_rename` is
 * no commit: a file of a task becomes visible.
 */
export interface KillPoint {
  readonly name: string;
  readonly moment: 'before' | 'after';
  /** From 1. */
  readonly occurrence?: number;
}

export type ToProcess =
  | { readonly type: 'advance'; readonly ms: number }
  | { readonly type: 'memory' }
  /** Whether the database can commit anything. */
  | { readonly type: 'database'; readonly away: boolean }
  | { readonly type: 'block'; readonly ms: number }
  | { readonly type: 'kill'; readonly kill: KillPoint };
export type FromProcess =
  | { readonly type: 'ready'; readonly url: string }
  | { readonly type: 'armed' }
  | { readonly type: 'memory'; readonly rss: number; readonly heap: number };

// A request with the header `x-busy-ms` keeps its handler busy for so many milliseconds of CPU time.
channel('fastify.initialization').subscribe((message) => {
  const { fastify } = message as { readonly fastify: FastifyInstance };
  fastify.addHook('onRoute', (route) => {
    const { handler } = route;
    route.handler = function busy(request, reply) {
      const end = cpuMs() + Number(request.headers['x-busy-ms'] ?? 0);
      while (cpuMs() < end);
      return handler.call(this, request, reply);
    };
  });
});

const wish = JSON.parse(process.argv[2] ?? '') as ProcessWish;
const SQLITE_IOERR = 10;
let ahead = wish.aheadMs;
let databaseAway = false;
let commitHook: CommitHook = wish.kill === null ? () => {} : killAt(wish.kill);
const { rename } = fs;
Reflect.set(fs, 'rename', (from: PathLike, to: PathLike, done: NoParamCallback) => {
  const names = `${to}`.includes('/files/tasks/') ? ['file_rename'] : [];
  commitHook('before', names);
  rename(from, to, (error) => {
    commitHook('after', names);
    done(error);
  });
});
syncBuiltinESMExports();
const renames = new BroadcastChannel(RENAMES);
renames.onmessage = ({ data }) => {
  const { moment, gate } = data as ThreadRename;
  commitHook(moment, ['file_rename']);
  Atomics.store(gate, 0, 1);
  Atomics.notify(gate, 0);
};
renames.unref();
preloadInThreads(new URL('./report-thread-renames.ts', import.meta.url));
const clock: Clock = { now: () => Date.now() + ahead };
const loaded = loadConfig(wish.variables);
const held: Replaced = wish.holdMs === undefined ? {} : { openai: { holdMs: wish.holdMs } };
const config = { ...loaded, ...replaceSettings(loaded, held) };
const service = await startService(config, {
  clock,
  log: createLog(config.logLevel),
  engines: wish.engines.map(createPaidEngine),
  additions: withUpstreamKeys({
    templates: new Map(wish.engines.map((engine) => [engine.name, createPaidEngine(engine)])),
    open: openKeyed,
  }),
  lookup: async (host) => {
    const addresses = wish.names[host];
    if (addresses === undefined) throw Object.assign(new Error(`no such host ${host}`), { code: 'ENOTFOUND' });
    return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  },
  commitHook(moment, names) {
    if (databaseAway && moment === 'before') throw Object.assign(new Error('injected'), { errcode: SQLITE_IOERR });
    commitHook(moment, names);
  },
  ...(wish.tempo === undefined ? {} : { tempo: wish.tempo }),
});
handleSignals(service);
process.on('message', (message: ToProcess) => {
  if (message.type === 'advance') ahead += message.ms;
  else if (message.type === 'memory') void tellMemory();
  else if (message.type === 'database') databaseAway = message.away;
  else if (message.type === 'block') block(message.ms);
  else {
    commitHook = killAt(message.kill);
    tell({ type: 'armed' });
  }
});
// Whoever started it has gone: nobody would ever end it.
process.on('disconnect', () => process.exit(1));
tell({ type: 'ready', url: service.url });

/** Each upstream key has an account of its own there, with its own books. */
function openKeyed(kind: string, secret: string): Engine {
  const options = wish.engines.find(({ name }) => name === kind);
  if (options === undefined) throw new Error(`there is no engine ${kind}`);
  return createPaidEngine({ ...options, books: `${options.books}.${secret}` });
}

function killAt({ name, moment, occurrence = 1 }: KillPoint): CommitHook {
  let seen = 0;
  return (when, names) => {
    if (when !== moment) return;
    seen += names.filter((each) => each === name).length;
    if (seen < occurrence) return;
    process.kill(process.pid, 'SIGKILL');
    // Nothing may run between the signal and the end.
    block(Number.POSITIVE_INFINITY);
  };
}

/** The event loop stands still. */
function block(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

async function tellMemory(): Promise<void> {
  // Not a flag of the process: with other flags than its siblings it could not use what they have compiled.
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  for (let round = 0; round < 3; round++) {
    collectGarbage();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const { rss, heapUsed } = process.memoryUsage();
  tell({ type: 'memory', rss, heap: heapUsed });
}

function tell(message: FromProcess): void {
  process.send?.(message);
}
