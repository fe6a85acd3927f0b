import { world } from '@darkroom-service/contract';
import { machineFaultOf } from '@darkroom-service/media/process';
import { LocalFault } from '../local-fault.ts';
import { freePort } from './free-port.ts';
import type { ServerNetwork } from './network.ts';
import { createRestarts, type Restarts } from './restarts.ts';
import { lastLinesOf, type RunningServer, viewServer } from './running-server.ts';
import { startServerProcess } from './server-process.ts';
import type { ServerLease, ServerLimits, ServerSpec, ServerState, ServerView } from './server-spec.ts';
import { WaitingOrders } from './waiting-orders.ts';
import { watchUse } from './watch-use.ts';

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

const REMOVED = 'its model was removed';
const STOPPING = 'the service is stopping';

/**
 * Servers on this machine, started when an order needs one and ended when no order does. Orders wait in one line
 * (`#serve`). A server is
 *
 * - *starting* (`#start`), until its process is ready.
 * - *ready* (`#makeReady`): it waits for the next order. It is ended after a while, or if another model needs its
 *   memory.
 * - *busy* (`#lease`): an order uses it.
 * - *stopping* (`#end`), until its process has ended (`#ended`). A process that ends by itself has failed.
 */
export class Servers {
  readonly #options: ServersOptions;
  readonly #running = new Map<string, RunningServer>();
  readonly #restarts = new Map<string, Restarts>();
  /** Last log lines of ended servers. */
  readonly #lastLogs = new Map<string, readonly string[]>();
  readonly #waiting = new WaitingOrders();
  #retryTimer: NodeJS.Timeout | undefined;
  /** Servers whose process has not ended. */
  readonly #lives = new Set<Promise<void>>();
  #isClosed = false;

  constructor(options: ServersOptions) {
    this.#options = options;
  }

  /**
   * Waits for the server's turn and starts it if needed.
   * @throws LocalFault with the reason; the fault if this machine cannot start it now; the signal's reason
   */
  async use(name: string, signal: AbortSignal): Promise<ServerLease> {
    signal.throwIfAborted();
    const leased = this.#waiting.add(name, signal);
    this.#serve();
    return await leased;
  }

  /** Returns the reason why orders for it are refused; null if they are not. */
  refusal(name: string): string | null {
    if (!this.knows(name)) return 'there is no such model or server';
    return this.#restartsOf(name).isUnavailable() ? this.#restartsOf(name).reason : null;
  }

  /** Whether there is a server of this name. */
  knows(name: string): boolean {
    return this.#options.specOf(name) !== null;
  }

  async views(): Promise<ServerView[]> {
    const named = [...this.#restarts.keys(), ...this.#waiting.all.map(({ name }) => name)];
    // The end of a removed model's server is still shown.
    const names = new Set([...this.#running.keys(), ...named.filter((name) => this.knows(name))]);
    return await Promise.all([...names].map((name) => this.#viewOf(name)));
  }

  /** Ends the servers whose model was removed, and refuses the orders that wait for them. */
  endRemoved(): void {
    for (const server of this.#running.values())
      if (server.state === 'ready' && !this.knows(server.name)) void this.#end(server, REMOVED);
    this.#serve();
  }

  /** Ends all servers. */
  async close(): Promise<void> {
    this.#isClosed = true;
    world.clearTimeout(this.#retryTimer);
    this.#serve();
    await Promise.all([...this.#running.values()].map((server) => this.#end(server, STOPPING)));
    await Promise.all(this.#lives);
  }

  /** Serves waiting orders in their sequence, as far as there are servers for them. */
  #serve(): void {
    world.clearTimeout(this.#retryTimer);
    let pauseMs = Number.POSITIVE_INFINITY;
    let isBlocked = false;
    for (const one of this.#waiting.all) {
      const reason = this.refusal(one.name);
      if (this.#isClosed || reason !== null) {
        this.#waiting.remove(one);
        one.reject(new LocalFault(reason ?? STOPPING));
        continue;
      }
      const server = this.#running.get(one.name);
      // The first to wait gets the memory, so that no model waits for ever.
      if (server?.state === 'ready' && !isBlocked) {
        this.#waiting.remove(one);
        one.resolve(this.#lease(server));
      } else if (server === undefined && !isBlocked) {
        const waitMs = this.#restartsOf(one.name).pauseMs();
        if (waitMs > 0) pauseMs = Math.min(pauseMs, waitMs);
        else if (this.#makeRoom(one.name)) this.#start(one.name);
        else isBlocked = true;
      }
    }
    if (pauseMs !== Number.POSITIVE_INFINITY) this.#retryTimer = world.setTimeout(() => this.#serve(), pauseMs + 1);
  }

  /** Ends idle servers until there is room for another one. @returns whether there is room now */
  #makeRoom(name: string): boolean {
    const { limits } = this.#options;
    const needed = this.#options.specOf(name)?.memoryBytes ?? 0;
    const all = [...this.#running.values()];
    const used = all.reduce((sum, { memoryBytes }) => sum + memoryBytes, 0);
    // A model that is too large for the limit may still run alone.
    if (all.length === 0 || (all.length < limits.maxServers && used + needed <= limits.memoryBytes)) return true;
    if (all.some(({ state }) => state === 'stopping')) return false;
    const [oldest] = all.filter(({ state }) => state === 'ready').sort((a, b) => a.usedAt - b.usedAt);
    if (oldest !== undefined) void this.#end(oldest, 'another model needed its memory');
    return false;
  }

  #start(name: string): void {
    const life = this.#run(name).finally(() => this.#lives.delete(life));
    this.#lives.add(life);
  }

  /** Starts a server, and returns when it has ended. */
  async #run(name: string): Promise<void> {
    const { limits, network, temporaryDirectory } = this.#options;
    const spec = this.#options.specOf(name);
    if (spec === null) return this.#serve();
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
    this.#running.set(name, server);
    this.#options.onChange?.(name, 'starting', null);
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
      if (this.#isClosed) void started.stop(STOPPING);
      await started.ready;
      loaded = true;
      this.#makeReady(server);
      this.#serve();
      const how = await started.ended;
      // A server that was told to end has not failed.
      if (server.state === 'stopping') this.#ended(server, null);
      else this.#ended(server, how, loaded);
    } catch (error) {
      const reason = error instanceof LocalFault ? error.message : `it could not be started: ${String(error)}`;
      if (server.state === 'stopping') this.#ended(server, null);
      else if (!(error instanceof LocalFault) && machineFaultOf(error) !== null) this.#hindered(server, reason, error);
      else this.#ended(server, reason, loaded);
    }
  }

  /** Gives its orders back after a fault of this machine, which says nothing about the server. */
  #hindered(server: RunningServer, reason: string, fault: unknown): void {
    this.#restartsOf(server.name).hindered(reason);
    for (const one of this.#waiting.of(server.name)) {
      this.#waiting.remove(one);
      one.reject(fault);
    }
    this.#ended(server, null);
  }

  #ended(server: RunningServer, failure: string | null, loaded = false): void {
    const { name } = server;
    world.clearTimeout(server.idleTimer);
    this.#lastLogs.set(name, lastLinesOf(server));
    this.#running.delete(name);
    if (failure !== null) this.#restartsOf(name).failed(failure, loaded);
    this.#options.onChange?.(name, this.refusal(name) === null ? 'stopped' : 'unavailable', failure);
    this.#serve();
  }

  /** Keeps a ready server for the next order, or ends it after a while. */
  #makeReady(server: RunningServer): void {
    server.state = 'ready';
    server.step = null;
    if (!this.knows(server.name)) return void this.#end(server, REMOVED);
    server.usedAt = world.monotonic();
    this.#options.onChange?.(server.name, 'ready', null);
    server.idleTimer = world.setTimeout(() => void this.#end(server, 'it was idle'), this.#options.limits.idleMs);
    server.idleTimer.unref();
  }

  async #end(server: RunningServer, why: string): Promise<void> {
    if (server.state === 'stopping') return;
    server.state = 'stopping';
    world.clearTimeout(server.idleTimer);
    this.#options.onChange?.(server.name, 'stopping', why);
    await server.process?.stop(why);
  }

  #lease(server: RunningServer): ServerLease {
    const { process } = server;
    if (process === null) throw new Error(`${server.name} is ready without a process`);
    world.clearTimeout(server.idleTimer);
    server.state = 'busy';
    this.#options.onChange?.(server.name, 'busy', null);
    const lease: ServerLease = {
      url: process.url,
      ended: process.ended,
      onStep: () => {},
      fail: (why) => process.stop(why),
      end: (why) => this.#end(server, why),
      release: (succeeded) => {
        stopWatching();
        process.output.onStep = () => {};
        if (succeeded) this.#restartsOf(server.name).succeeded();
        if (server.state !== 'busy' || this.#running.get(server.name) !== server) return;
        if (this.#isClosed) void this.#end(server, STOPPING);
        else this.#makeReady(server);
        this.#serve();
      },
    };
    process.output.onStep = (step) => {
      server.step = step;
      lease.onStep(step);
    };
    const stopWatching = watchUse(process, this.#options.limits);
    return lease;
  }

  async #viewOf(name: string): Promise<ServerView> {
    return await viewServer(name, {
      server: this.#running.get(name),
      refusal: this.refusal(name),
      lastReason: this.#restartsOf(name).reason,
      isAwaited: this.#waiting.of(name).length > 0,
      lastLog: this.#lastLogs.get(name) ?? [],
    });
  }

  #restartsOf(name: string): Restarts {
    const known = this.#restarts.get(name) ?? createRestarts(this.#options.limits.restartMs);
    this.#restarts.set(name, known);
    return known;
  }
}
