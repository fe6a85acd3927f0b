import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { createKeyring } from './accounts/keyring.ts';
import { createRateLimits, type RateLimits } from './accounts/rate-limits.ts';
import { createSharedRateLimits } from './accounts/shared-rate-limits.ts';
import type { Config } from './config.ts';
import { ENGINE_SWITCHES } from './engine-variables.ts';
import { type HeldPort, holdPort } from './hold-port.ts';
import { type ConsoleKeys, createConsoleSessions } from './http/console-session.ts';
import { buildMetricsServer } from './http/metrics-server.ts';
import { buildHttp } from './http/server.ts';
import { loopbackUrl } from './loopback-url.ts';
import { openParts, type Parts, type ServiceOptions } from './open-parts.ts';
import { createReadiness } from './readiness.ts';
import { startWorker, type Worker } from './start-worker.ts';

/** A running service. */
export interface Service {
  /** The address that it answers at, without a slash at the end; a worker, which answers none, tells the one that clients use. */
  readonly url: string;
  /** Reads the catalog's files anew. @throws CatalogFault, and the catalog in force stays. */
  reloadCatalog(): Promise<void>;
  /** A link that signs the console in with these keys: once, within 15 minutes, on this machine. Null without a console. */
  offerSignIn(keys: ConsoleKeys): string | null;
  /** Does at once what is due from time to time, such as erasing what has outlived its time. */
  keepHouse(): Promise<void>;
  /**
   * Stops claiming, answers open requests, lets go of what can be resumed, and closes everything, also where a part of it cannot be closed.
   * `now`: waits for nothing. @throws what could not be closed.
   */
  stop(options?: { readonly now?: boolean }): Promise<void>;
}

const ANSWER_WITHIN_MS = 5_000;
const HANG_UP_EVERY_MS = 50;
/** As `npm ci` builds it. */
const CONSOLE_DIRECTORY = join(import.meta.dirname, '..', 'console', 'dist');

/**
 * Opens everything, joins it, and does what the role says: answers requests (`api`), makes what is ordered (`worker`), or both (`all`).
 * What is opened is closed in reverse, also when a later part cannot be opened.
 * @throws CatalogFault, or what a part says when it cannot be opened.
 */
export async function startService(config: Config, options: ServiceOptions = {}): Promise<Service> {
  const closers = new AsyncDisposableStack();
  try {
    return await start(config, options, closers);
  } catch (error) {
    // Why it cannot start tells more than what then could not be closed.
    await closers.disposeAsync().catch(() => {});
    throw error;
  }
}

async function start(config: Config, options: ServiceOptions, closers: AsyncDisposableStack): Promise<Service> {
  const state = { stopping: false, drainMs: config.drainMs };
  // File addresses are signed with the port in them, so it is known before anything listens.
  const held = config.port === 0 && config.role !== 'worker' ? await holdPort(config.host) : null;
  if (held !== null) closers.defer(() => held.release());
  const port = held?.port ?? config.port;
  const url = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`;
  const parts = await openParts(config, options, config.publicUrl ?? url, closers);
  const worker = config.role === 'api' ? null : startWorker(parts, config, () => state.drainMs, closers);
  const offerSignIn =
    config.role === 'worker' ? () => null : await listen(config, parts, worker, port, held, state, closers);
  if (config.metricsPort !== null) {
    const figures = buildMetricsServer({ metrics: parts.registry });
    closers.defer(() => figures.close());
    await figures.listen({ host: config.host, port: config.metricsPort });
  }
  let stopped: Promise<void> | null = null;
  return {
    url: config.role === 'worker' ? parts.desk.settings.publicUrl : url,
    reloadCatalog: parts.reloadCatalog,
    offerSignIn,
    async keepHouse() {
      await worker?.housekeeping.runOnce();
    },
    async stop({ now = false } = {}) {
      state.stopping = true;
      if (now) state.drainMs = 0;
      stopped ??= closers.disposeAsync();
      await stopped;
    },
  };
}

/** Answers requests. @returns what makes a link that signs the console in. */
async function listen(
  config: Config,
  parts: Parts,
  worker: Worker | null,
  port: number,
  held: HeldPort | null,
  state: { stopping: boolean; drainMs: number },
  closers: AsyncDisposableStack,
): Promise<Service['offerSignIn']> {
  const { circuits, clock, database, desk, engines, log, registry, storage, switches } = parts;
  const consoleSessions = createConsoleSessions({ now: () => clock.now() });
  const http = await buildHttp({
    desk,
    keyring: createKeyring({ database, clock }),
    rateLimits: limitsOver(parts),
    switches,
    circuits,
    publicUrl: desk.settings.publicUrl,
    trustProxy: config.trustProxy,
    corsOrigins: config.corsOrigins,
    maxBodyBytes: config.maxBodyBytes,
    maxUploadBytes: config.maxUploadBytes,
    hideUnavailable: config.catalogUnavailable === 'hide',
    engineNames: [...engines.keys()],
    engineSwitches: ENGINE_SWITCHES,
    reloadCatalog: parts.reloadCatalog,
    consoleDirectory: CONSOLE_DIRECTORY,
    consoleSessions,
    readiness: createReadiness({ database, storage, engines, circuits, clock }),
    metrics: registry,
    log,
    isStopping: () => state.stopping,
  });
  // Both at once: no task is claimed any more while open requests are answered.
  closers.defer(async () => {
    await Promise.all([closeHttp(http, Math.min(state.drainMs, ANSWER_WITHIN_MS)), worker?.stopRunner()]);
  });
  await held?.release();
  await http.listen({ host: config.host, port });
  return (keys) => `${loopbackUrl(config.host, port)}/#/sign-in/${consoleSessions.offer(keys)}`;
}

/** The embedded database serves one process that answers; others share a database, and with it the limits. */
function limitsOver({ clock, database }: Parts): RateLimits {
  const now = () => clock.now();
  const local = createRateLimits({ now });
  return database.kind === 'sqlite' ? local : createSharedRateLimits({ local, database, now });
}

/** Answers what has been asked; connections that are still open after that time, such as a stalled download, are cut. */
async function closeHttp(http: FastifyInstance, withinMs: number): Promise<void> {
  const cut = setTimeout(() => http.server.closeAllConnections(), withinMs);
  // A connection that is kept alive turns idle only when its last answer is out.
  const hangUp = setInterval(() => http.server.closeIdleConnections(), HANG_UP_EVERY_MS);
  await http.close().finally(() => {
    clearTimeout(cut);
    clearInterval(hangUp);
  });
}
