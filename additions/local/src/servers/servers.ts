import { world } from '@darkroom-service/contract';
import { machineFaultOf } from '@darkroom-service/media/process';
import { LocalFault } from '../local-fault.ts';
import { freePort } from './free-port.ts';
import type { ServerNetwork } from './network.ts';
import { createRestarts, type Restarts } from './restarts.ts';
import { lastLinesOf, type RunningServer, viewServer } from './running-server.ts';
import { startServerProcess } from './server-process.ts';
import type { ServerLease, ServerLimits, ServerSpec, ServerState, ServerView } from './server-spec.ts';
import { watchUse } from './watch-use.ts';

/** Servers on this machine, started when an order needs one and ended when no order does. */
interface Servers {
  /**
   * Waits for the server's turn and starts it if needed.
   * @throws LocalFault with the reason; the fault if this machine cannot start it now; the signal's reason
   */
  use(name: string, signal: AbortSignal): Promise<ServerLease>;
  /** Returns the reason why orders for it are refused; null if they are not. */
  refusal(name: string): string | null;
  /** Whether there is a server of this name. */
  knows(name: string): boolean;
  views(): Promise<ServerView[]>;
  /** Ends the servers whose model was removed, and refuses the orders that wait for them. */
  endRemoved(): void;
  /** Ends all servers. */
  close(): Promise<void>;
}

interface ServersOptions {
  /** Returns the server of this name; null if there is none. */
  readonly specOf: (name: string) => ServerSpec | null;
  readonly limits: ServerLimits;
  readonly network: ServerNetwork;
  /** Directory for temporary files; must exist. */
  readonly temporaryDirectory: string;
  /** Called after each change of a state. */
  readonly onChange?: (name: string, state: ServerState, reason: string | null) => void;
}

interface Waiting {
  readonly name: string;
  readonly resolve: (lease: ServerLease) => void;
  readonly reject: (error: unknown) => void;
}

const REMOVED = 'its model was removed';

export function createServers({ specOf, limits, network, temporaryDirectory, onChange }: ServersOptions): Servers {
  const running = new Map<string, RunningServer>();
  const restarts = new Map<string, Restarts>();
  /** Last log lines of ended servers. */
  const lastLogs = new Map<string, readonly string[]>();
  const waiting: Waiting[] = [];
  let retryTimer: NodeJS.Timeout | undefined;
  const lives = new Set<Promise<void>>();
  let closed = false;

  const restartsOf = (name: string) => {
    const known = restarts.get(name) ?? createRestarts(limits.restartMs);
    restarts.set(name, known);
    return known;
  };
  const refusal = (name: string) =>
    specOf(name) === null
      ? 'there is no such model or server'
      : restartsOf(name).isUnavailable()
        ? restartsOf(name).reason
        : null;

  /** Serves waiting orders in their sequence, as far as there are servers for them. */
  function serve(): void {
    world.clearTimeout(retryTimer);
    let pauseMs = Number.POSITIVE_INFINITY;
    let isBlocked = false;
    for (const one of [...waiting]) {
      const reason = refusal(one.name);
      if (closed || reason !== null) {
        take(one);
        one.reject(new LocalFault(reason ?? 'the service is stopping'));
        continue;
      }
      const server = running.get(one.name);
      // The first to wait gets the memory, so that no model waits for ever.
      if (server?.state === 'ready' && !isBlocked) {
        take(one);
        one.resolve(leaseOf(server));
      } else if (server === undefined && !isBlocked) {
        const waitMs = restartsOf(one.name).pauseMs();
        if (waitMs > 0) pauseMs = Math.min(pauseMs, waitMs);
        else if (makeRoom(one.name)) live(one.name);
        else isBlocked = true;
      }
    }
    if (pauseMs !== Number.POSITIVE_INFINITY) retryTimer = world.setTimeout(serve, pauseMs + 1);
  }

  function take(one: Waiting): void {
    waiting.splice(waiting.indexOf(one), 1);
  }

  /** Ends idle servers until there is room for another one. @returns whether there is room now */
  function makeRoom(name: string): boolean {
    const needed = specOf(name)?.memoryBytes ?? 0;
    const all = [...running.values()];
    const used = all.reduce((sum, { memoryBytes }) => sum + memoryBytes, 0);
    // A model that is too large for the limit may still run alone.
    if (all.length === 0 || (all.length < limits.atOnce && used + needed <= limits.memoryBytes)) return true;
    if (all.some(({ state }) => state === 'stopping')) return false;
    const [oldest] = all.filter(({ state }) => state === 'ready').sort((a, b) => a.usedAt - b.usedAt);
    if (oldest !== undefined) void end(oldest, 'another model needed its memory');
    return false;
  }

  function live(name: string): void {
    const life = start(name).finally(() => lives.delete(life));
    lives.add(life);
  }

  /** Starts a server, and returns when it has ended. */
  async function start(name: string): Promise<void> {
    const spec = specOf(name);
    if (spec === null) return serve();
    const server: RunningServer = {
      name,
      state: 'starting',
      process: null,
      idleTimer: undefined,
      step: null,
      memoryBytes: spec.memoryBytes ?? 0,
      startedAt: new Date(world.now()).toISOString(),
      usedAt: world.monotonic(),
    };
    running.set(name, server);
    onChange?.(name, 'starting', null);
    let loaded = false;
    try {
      const port = spec.port ?? (await freePort());
      const command = await spec.command(port);
      const { readyPath } = spec;
      const enclosure = spec.needsNetwork ? null : await network.enclosure();
      const started = await startServerProcess({
        ...command,
        port,
        readyPath,
        temporaryDirectory,
        enclosure,
        loadLimitMs: limits.loadMs,
      });
      server.process = started;
      if (closed) void started.stop('the service is stopping');
      await started.ready;
      loaded = true;
      rest(server);
      serve();
      const how = await started.ended;
      // A server that was told to end has not failed.
      if (server.state === 'stopping') gone(server, null);
      else gone(server, how, loaded);
    } catch (error) {
      const reason = error instanceof LocalFault ? error.message : `it could not be started: ${String(error)}`;
      if (server.state === 'stopping') gone(server, null);
      else if (!(error instanceof LocalFault) && machineFaultOf(error) !== null) hindered(server, reason, error);
      else gone(server, reason, loaded);
    }
  }

  /** Gives its orders back after a fault of this machine, which says nothing about the server. */
  function hindered(server: RunningServer, reason: string, fault: unknown): void {
    restartsOf(server.name).hindered(reason);
    for (const one of waiting.filter(({ name }) => name === server.name)) {
      take(one);
      one.reject(fault);
    }
    gone(server, null);
  }

  function gone(server: RunningServer, failure: string | null, loaded = false): void {
    const { name } = server;
    world.clearTimeout(server.idleTimer);
    lastLogs.set(name, lastLinesOf(server));
    running.delete(name);
    if (failure !== null) restartsOf(name).failed(failure, loaded);
    onChange?.(name, refusal(name) === null ? 'stopped' : 'unavailable', failure);
    serve();
  }

  /** Keeps a ready server for the next order, or ends it after a while. */
  function rest(server: RunningServer): void {
    server.state = 'ready';
    server.step = null;
    if (specOf(server.name) === null) return void end(server, REMOVED);
    server.usedAt = world.monotonic();
    onChange?.(server.name, 'ready', null);
    server.idleTimer = world.setTimeout(() => void end(server, 'it was idle'), limits.idleMs);
    server.idleTimer.unref();
  }

  async function end(server: RunningServer, why: string): Promise<void> {
    if (server.state === 'stopping') return;
    server.state = 'stopping';
    world.clearTimeout(server.idleTimer);
    onChange?.(server.name, 'stopping', why);
    await server.process?.stop(why);
  }

  function leaseOf(server: RunningServer): ServerLease {
    const { process } = server;
    if (process === null) throw new Error(`${server.name} is ready without a process`);
    world.clearTimeout(server.idleTimer);
    server.state = 'busy';
    onChange?.(server.name, 'busy', null);
    const lease: ServerLease = {
      url: process.url,
      ended: process.ended,
      onStep: () => {},
      fail: (why) => process.stop(why),
      end: (why) => end(server, why),
      release(succeeded) {
        stopWatching();
        process.output.onStep = () => {};
        if (succeeded) restartsOf(server.name).succeeded();
        if (server.state !== 'busy' || running.get(server.name) !== server) return;
        if (closed) void end(server, 'the service is stopping');
        else rest(server);
        serve();
      },
    };
    process.output.onStep = (step) => {
      server.step = step;
      lease.onStep(step);
    };
    const stopWatching = watchUse(process, limits);
    return lease;
  }

  return {
    async use(name, signal) {
      signal.throwIfAborted();
      return await new Promise((resolve, reject) => {
        const abort = () => {
          if (!waiting.includes(one)) return;
          take(one);
          reject(signal.reason);
        };
        const settle = () => signal.removeEventListener('abort', abort);
        const one: Waiting = {
          name,
          resolve: (lease) => {
            settle();
            resolve(lease);
          },
          reject: (error) => {
            settle();
            reject(error);
          },
        };
        signal.addEventListener('abort', abort, { once: true });
        waiting.push(one);
        serve();
      });
    },
    refusal,
    knows: (name) => specOf(name) !== null,
    async views() {
      const named = [...restarts.keys(), ...waiting.map(({ name }) => name)];
      // The end of a removed model's server is still shown.
      const names = new Set([...running.keys(), ...named.filter((name) => specOf(name) !== null)]);
      return await Promise.all([...names].map((name) => viewOf(name)));
    },
    endRemoved() {
      for (const server of running.values())
        if (server.state === 'ready' && specOf(server.name) === null) void end(server, REMOVED);
      serve();
    },
    async close() {
      closed = true;
      world.clearTimeout(retryTimer);
      serve();
      await Promise.all([...running.values()].map((server) => end(server, 'the service is stopping')));
      await Promise.all(lives);
    },
  };

  async function viewOf(name: string): Promise<ServerView> {
    return await viewServer(name, {
      server: running.get(name),
      refusal: refusal(name),
      lastReason: restartsOf(name).reason,
      isAwaited: waiting.some((one) => one.name === name),
      lastLog: lastLogs.get(name) ?? [],
    });
  }
}
