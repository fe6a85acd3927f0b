import { join } from 'node:path';
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
import { openParts, type Parts } from './open-parts.ts';
import { createChecks } from './operations/checks.ts';
import { measureOutages } from './outage-metrics.ts';
import { missingPublicUrl } from './public-url.ts';
import { Readiness } from './readiness.ts';
import { reservePort } from './reserve-port.ts';
import type { ServiceOptions } from './service-options.ts';
import { startStallMeter } from './stall-meter.ts';
import { createStop, type StopOptions, Stopping } from './stopping.ts';

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
   * that does not close in time is left open. @throws the errors of closing.
   */
  stop(options?: StopOptions): Promise<void>;
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
  const stopping = new Stopping(config.drainMs);
  // Signed file URLs contain the port, so it must be known before the service listens.
  const needsPort = config.port === 0 && config.role !== 'worker' && options.socketPath === undefined;
  const reservedPort = needsPort ? await reservePort(config.host) : null;
  if (reservedPort !== null) closers.defer(() => reservedPort.release());
  const port = reservedPort?.port ?? config.port;
  const url = loopbackUrl(config.host, port);
  const parts = await openParts(config, options, config.publicUrl ?? url, closers);
  const { valves, database, engines, log } = parts;
  const { readiness, stalls } = openReadiness(config, parts, port, closers);
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
  const stop = createStop(stopping, { log, lameDuckMs: config.lameDuckMs, worker, closers });
  return {
    url: config.role === 'worker' ? parts.services.settings.publicUrl : url,
    reloadCatalog: parts.reloadCatalog,
    welcome: (keys) => [...kernelParts.welcomes].map((text) => text(keys, url)),
    async runHousekeeping() {
      await worker?.housekeeping.runOnce();
    },
    stop,
  };
}

/** Starts the checks of `/readyz`, and measures the outages that they find. */
function openReadiness(config: Config, parts: Parts, port: number, closers: AsyncDisposableStack) {
  const { database, storage, engines, valves, clock } = parts;
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
    addedChecks: parts.addedChecks,
    noPublicUrl: missingPublicUrl({ ...config, port }),
    isWorker: config.role === 'worker',
    freshMs: parts.tempo.readinessFreshMs,
  });
  closers.defer(readiness.watch());
  measureOutages(parts.registry, readiness, database, () => parts.installation.suspension !== null);
  return { readiness, stalls };
}
