import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { createKeyBudgets } from '../accounts/end-user-budgets.ts';
import { createLog, type Log } from '../base/log.ts';
import { processOf, VERSION } from '../base/process.ts';
import { loadCatalog } from '../catalog/catalog.ts';
import { type Config, catalogDirectories } from '../config/config.ts';
import { makeDataDirectory } from '../config/data-directory.ts';
import type { Engine } from '../engines/engine.ts';
import { createTrustedFetch, type TrustedFetch } from '../net/trusted-fetch.ts';
import { registerBacklogMetrics } from '../operations/backlog-metrics.ts';
import { registerBalanceMetrics } from '../operations/balance-metrics.ts';
import type { Circuits } from '../routing/circuits.ts';
import type { EngineLimits } from '../routing/engine-limits.ts';
import type { Switches } from '../routing/switches.ts';
import type { TaskServices } from '../tasks/task-services.ts';
import { checkAliases } from './check-aliases.ts';
import { LocalWorker } from './local-worker.ts';
import { openData, type ServiceData } from './open-data.ts';
import { openLocalModels } from './open-local-models.ts';
import { openMedia } from './open-media.ts';
import { measureHeartbeat } from './open-process.ts';
import { openRouting } from './open-routing.ts';
import { openServiceEngines } from './open-service-engines.ts';
import { openServices } from './open-services.ts';
import { openUpstreamKeys, type UpstreamKeys } from './open-upstream-keys.ts';
import type { ServiceOptions, Tempo } from './service-options.ts';
import { openTemporaryDirectory } from './temporary-directory.ts';
import { warnBelowCost } from './warn-below-cost.ts';

/** The parts that all roles of the service share. */
export interface Parts extends ServiceData {
  readonly log: Log;
  readonly fetch: TrustedFetch;
  readonly engines: ReadonlyMap<string, Engine>;
  readonly upstreamKeys: UpstreamKeys;
  readonly switches: Switches;
  readonly circuits: Circuits;
  readonly limits: EngineLimits;
  readonly registry: Registry;
  readonly services: TaskServices;
  readonly reloadCatalog: () => Promise<void>;
  readonly tempo: Tempo;
  readonly worker: LocalWorker;
}

/**
 * Opens what all roles need, and registers how to close it in `closers`.
 * @param publicUrl the beginning of every link, without a trailing slash.
 */
export async function openParts(
  config: Config,
  options: ServiceOptions,
  publicUrl: string,
  closers: AsyncDisposableStack,
): Promise<Parts> {
  const log = options.log ?? createLog(config.logLevel, undefined, processOf(config.role));
  log.info({ version: VERSION, node: process.version }, 'starting');
  await makeDataDirectory(config.dataDirectory);
  const temporaryDirectory = await openTemporaryDirectory(join(config.dataDirectory, 'tmp'));
  closers.defer(() => rm(temporaryDirectory, { recursive: true, force: true }));
  const directories = catalogDirectories(config);
  const local = await openLocalModels(config);
  const load = async () => await loadCatalog({ directories, added: await local.readEntries() });
  let catalog = await load();
  checkAliases(config, catalog);

  const data = await openData(config, options, log, closers);
  const { database, clock } = data;
  const trusted = createTrustedFetch({
    allowedAddresses: config.allowedAddresses,
    ...(options.lookup === undefined ? {} : { lookup: options.lookup }),
  });
  closers.defer(() => trusted.close());
  const budgets = createKeyBudgets({
    limits: config.budgets,
    endUserPercent: config.endUserPercent,
    now: () => clock.now(),
  });
  const media = openMedia(config, budgets, log, closers);
  const { fetch } = trusted;
  const tools = { temporaryDirectory, clock, log, fetch, pictures: media };
  const reloadCatalog = async () => {
    catalog = await load();
  };
  const own = await local.openEngines({ ...tools, process: data.process.id, reloadCatalog }, closers);
  const engines = openServiceEngines(config, [...own, ...(options.engines ?? [])], tools, closers);
  const worker = new LocalWorker();
  const { wrapCircuits } = options;
  const onUsable = () => worker.runner?.wake();
  const upstreamKeys = await openUpstreamKeys(
    config,
    { database, engines, log, tools, keyedKinds: options.keyedKinds },
    closers,
  );
  const { engineSet } = upstreamKeys;
  const routing = await openRouting({ database, clock, log, engines: engineSet, wrapCircuits, onUsable }, closers);

  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  measureHeartbeat(registry, data.process);
  registerBalanceMetrics(registry, database);
  registerBacklogMetrics(registry, database, {
    clock,
    softDeadlineMs: config.softDeadlineMs,
    hardDeadlineMs: config.hardDeadlineMs,
  });
  const shared = { ...data, ...routing, log, fetch, engines, upstreamKeys, registry, worker };
  const services = await openServices(
    { ...shared, config, publicUrl, temporaryDirectory, catalog: () => catalog, budgets, media },
    closers,
  );
  warnBelowCost(catalog, engines, log);
  const reloadAndJudge = async () => {
    await reloadCatalog();
    warnBelowCost(catalog, engines, log);
  };
  return { ...shared, services, reloadCatalog: reloadAndJudge, tempo: options.tempo ?? {} };
}
