import { join } from 'node:path';
import { isDoneWithin } from '@darkroom-service/contract';
import { enginesInUse } from '@darkroom-service/engines';
import { loopbackUrl } from '@darkroom-service/media';
import { parseHosts } from '@darkroom-service/store';
import { operateHold } from '../installation/operated-hold.ts';
import { operateValves } from '../routing/operated-valves.ts';
import type { Config } from './config/config.ts';
import { enabledAdditions } from './enabled-additions.ts';
import type { FirstKeys } from './kernel/accounts.ts';
import { type KernelParts, openKernel } from './kernel/kernel.ts';
import { choresOf, openAdditions, openInterceptors } from './open-additions.ts';
import { openParts } from './open-parts.ts';
import { createChecks } from './operations/checks.ts';
import { measureOutages } from './outage-metrics.ts';
import { missingPublicUrl } from './public-url.ts';
import { Readiness } from './readiness.ts';
import { reservePort } from './reserve-port.ts';
import type { ServiceOptions } from './service-options.ts';
import { startStallMeter } from './stall-meter.ts';
import { createStopping } from './stopping.ts';

/**
 * Time limit of closing. After it a stop leaves the rest to the next start, as a kill does: while the database hangs,
 * each statement waits for 25 seconds, one after the other.
 */
const CLOSES_WITHIN_MS = 13_000;

/** A running service. */
export interface Service {
  /**
   * URL of the service, without a trailing slash; for a worker, which answers no requests, the URL that clients use.
   */
  readonly url: string;
  /** Reloads the catalog's files. @throws CatalogFault, and the current catalog stays. */
  reloadCatalog(): Promise<void>;
  /** Returns the additions' lines for the person at the terminal who sees these first keys. */
  welcome(keys: FirstKeys): string[];
  /** Runs the periodic housekeeping now: deletes expired tasks and files. */
  runHousekeeping(): Promise<void>;
  /**
   * Stops the service: stops claiming and announces the stop (`/readyz` fails, all requests are answered), then refuses
   * orders and waits for calls that cannot be resumed, then closes everything, even if a part fails to close. A part
   * that does not close in time is left open.
   * `now`: waits for nothing. `announce: false`: skips the announcement. @throws the errors of closing.
   */
  stop(options?: { readonly now?: boolean; readonly announce?: boolean }): Promise<void>;
}

/**
 * Starts the service in the configured role: answers requests (`api`), runs tasks (`worker`), or both (`all`).
 * Everything opened is closed in reverse order, also if a later part cannot be opened.
 * @throws CatalogFault, or the error of the part that cannot be opened.
 */
export async function startService(config: Config, options: ServiceOptions = {}): Promise<Service> {
  const closers = new AsyncDisposableStack();
  try {
    return await start(config, options, closers);
  } catch (error) {
    // The reason why the start failed is more important than an error of closing.
    await closers.disposeAsync().catch(() => {});
    throw error;
  }
}

async function start(config: Config, options: ServiceOptions, closers: AsyncDisposableStack): Promise<Service> {
  const stopping = createStopping(config);
  // Signed file URLs contain the port, so it must be known before the service listens.
  const needsPort = config.port === 0 && config.role !== 'worker' && options.socketPath === undefined;
  const reservedPort = needsPort ? await reservePort(config.host) : null;
  if (reservedPort !== null) closers.defer(() => reservedPort.release());
  const port = reservedPort?.port ?? config.port;
  const url = loopbackUrl(config.host, port);
  const parts = await openParts(config, options, config.publicUrl ?? url, closers);
  const { valves, clock, database, engines, log, storage } = parts;
  const stalls = startStallMeter();
  closers.defer(() => stalls.stop());
  const readiness = new Readiness({
    database,
    storage,
    engines,
    valves,
    clock,
    stalls,
    outages: parts.outages,
    processState: parts.processState,
    temporaryDirectory: parts.temporaryDirectory,
    spool: config.role === 'api' ? null : join(config.dataDirectory, 'spool'),
    isWorker: config.role === 'worker',
    freshMs: parts.tempo.readinessFreshMs,
  });
  closers.defer(readiness.watch());
  const noPublicUrl = missingPublicUrl({ ...config, port });
  if (noPublicUrl !== null) readiness.addCheck(() => ({ name: 'public URL', ok: false, detail: noPublicUrl }));
  measureOutages(parts.registry, readiness, database, () => parts.installation.suspension !== null);
  if (config.serviceLinks.length > 0)
    log.info({ variables: config.serviceLinks }, 'ignored variables that Kubernetes sets for its Services');
  if (config.metricsPort !== null) {
    const { buildMetricsServer } = await import('./metrics-server.ts');
    // Closed after the worker: it reports the stop until the last order is released.
    const figures = buildMetricsServer({
      metrics: parts.registry,
      readiness: () => readiness.report(),
      phase: () => stopping.phase,
    });
    closers.defer(() => figures.close());
    await figures.listen({ host: config.host, port: config.metricsPort });
  }
  const hosts = parseHosts(config.databaseUrl ?? '');
  const kernelParts: KernelParts = {
    ...parts,
    config,
    engineOf: (name) => parts.engineSet.get(name),
    checks: createChecks(parts.services, engines, config.engines, (hosts?.urls.length ?? 1) > 1),
    readiness,
    hold: operateHold(parts.installation, database),
    queues: parts.worker.queues,
    findBatch: options.additions?.find((addition) => addition.findBatch !== undefined)?.findBatch ?? null,
    welcomes: new Set(),
    valves: operateValves(valves, parts),
  };
  const kernel = openKernel(kernelParts, closers);
  const enabled = await openAdditions(enabledAdditions(options.additions ?? [], config.without), kernel, closers);
  // Imported only if the role needs it: an API process does not load the worker, and a worker does not load HTTP.
  const worker =
    config.role === 'api'
      ? null
      : await (await import('./start-worker.ts')).startWorker(
          parts,
          config,
          {
            interceptors: await openInterceptors(enabled),
            chores: choresOf(options.additions ?? [], kernel),
            drainMs: () => stopping.drainMs,
            machine: { canSpool: () => readiness.isSpoolUp, stalledMs: stalls.totalMs },
          },
          closers,
        );
  if (config.role !== 'worker') {
    const { startHttp } = await import('./start-http.ts');
    await startHttp(
      { config, kernel, kernelParts, enabled, options, parts, readiness, stopping, port, reservedPort },
      closers,
    );
  }
  for (const addition of enabled) await addition.opened.start?.();
  stopping.phase = 'serving';
  log.info(
    {
      url: parts.services.settings.publicUrl,
      database: database.kind,
      engines: enginesInUse(engines).map(({ name }) => name),
    },
    'ready',
  );
  let stopped: Promise<void> | null = null;
  const leave = async (announce: boolean) => {
    stopping.phase = 'leaving';
    log.info({ announce_ms: announce ? config.lameDuckMs : 0, drain_ms: stopping.drainMs }, 'stopping');
    // The runner's closer reports a failure of this.
    const drained = worker?.stopRunner().catch(() => {});
    if (announce) await stopping.announced(config.lameDuckMs);
    stopping.phase = 'stopping';
    const closed = Promise.resolve(drained).then(() => closers.disposeAsync());
    if (await isDoneWithin(stopping.drainMs + CLOSES_WITHIN_MS, closed)) log.info('stopped');
    else {
      closed.catch(() => {});
      log.warn({ closes_within_ms: CLOSES_WITHIN_MS }, 'stopped before everything was closed');
    }
    await new Promise<void>((resolve) => log.flush(() => resolve()));
  };
  return {
    url: config.role === 'worker' ? parts.services.settings.publicUrl : url,
    reloadCatalog: parts.reloadCatalog,
    welcome: (keys) => [...kernelParts.welcomes].map((text) => text(keys, url)),
    async runHousekeeping() {
      await worker?.housekeeping.runOnce();
    },
    async stop({ now = false, announce = true } = {}) {
      if (now || !announce) stopping.hurry();
      if (now) stopping.drainMs = 0;
      stopped ??= leave(announce && !now);
      await stopped;
    },
  };
}
