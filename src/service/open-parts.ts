import { hostname } from 'node:os';
import {
  type ConfiguredEngines,
  type Engine,
  enginesInUse,
  OWN_ENGINES_VARIABLE,
  OwnEngineFault,
} from '@darkroom-service/engines';
import { createMediaTools, createTrustedFetch, type MediaTools } from '@darkroom-service/media';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { Budgets } from '../accounts/budgets.ts';
import { openSigningSecrets } from '../accounts/signing-secrets.ts';
import { createLog, type Log } from '../base/log.ts';
import { createProcessId, VERSION } from '../base/process.ts';
import { enginesOn } from '../catalog/can-serve.ts';
import { loadCatalog } from '../catalog/catalog.ts';
import { pricedEngines } from '../catalog/pricing/priced-engines.ts';
import { createStartRefresh } from '../database/refresh.ts';
import { countOrdersIn } from '../queue/queue-capacity.ts';
import { NO_FILTER } from '../record/route-filter.ts';
import { createAnswers, type EngineLimits } from '../routing/engine-limits.ts';
import { createEngineSet } from '../routing/engine-set.ts';
import { joinInstances } from '../routing/owned-instances.ts';
import { openProcessState } from '../routing/process-state.ts';
import type { TaskServices } from '../tasks/task-services.ts';
import { NO_TRACER } from '../tasks/tracer.ts';
import { startAddedChecks } from './added-checks.ts';
import { budgetMedia } from './budgeted-media.ts';
import type { Config } from './config/config.ts';
import { ConfigFault } from './config/config-fault.ts';
import { makeDataDirectory } from './config/data-directory.ts';
import { ENGINE_SWITCHES } from './config/engine-variables.ts';
import { assertNoOpenWork, enabledAdditions } from './enabled-additions.ts';
import { secretOf } from './installation-secret.ts';
import { keyDigests, spendLimitsOf, storageDigest } from './key-digests.ts';
import { LocalWorker } from './local-worker.ts';
import { installedParts } from './native-parts.ts';
import { openData } from './open-data.ts';
import { type EngineSettings, openEngines } from './open-engines.ts';
import { measureHeartbeat } from './open-process.ts';
import { openRouting } from './open-routing.ts';
import { type EarlyParts, openServices } from './open-services.ts';
import { warnStranded } from './orders-at-gates.ts';
import { Outages } from './outages.ts';
import { rememberProbes } from './remembered-probes.ts';
import type { ServiceOptions, Tempo } from './service-options.ts';
import { warnThinMargins } from './warn-thin-margins.ts';

/** The parts that all roles of the service share. */
export interface Parts extends EarlyParts {
  readonly services: TaskServices;
  readonly reloadCatalog: () => Promise<void>;
  readonly tempo: Tempo;
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
  let tracer = NO_TRACER;
  const { processId = createProcessId(), additions = [] } = options;
  const base = { role: config.role, process: processId };
  const log =
    options.log ?? createLog(config.logLevel, undefined, base, (fields) => tracer.traceOf(fields), config.secrets);
  log.info({ version: VERSION, node: process.version }, 'starting');
  await makeDataDirectory(config.dataDirectory);
  const directories = config.catalogDirectories;
  const opened = enabledAdditions(additions, config.without);
  const models = await Promise.all(opened.flatMap((addition) => addition.models?.(config) ?? []));
  const load = async () =>
    await loadCatalog({ directories, added: await Promise.all(models.map((added) => added.readEntries())) });
  let catalog = await load();
  for (const { checkSettings } of opened) checkSettings?.(config, catalog);

  const registry = new Registry();
  const startRefresh = createStartRefresh({ log, registry });
  const data = await openData(processId, config, options, log, startRefresh, closers);
  const { database, clock, temporaryDirectory } = data;
  await assertNoOpenWork(additions, config, { read: database.read, now: clock.now() });
  await warnStranded(database.read, additions, log);
  const trusted = createTrustedFetch({
    ...config.outgoing,
    ownServerHeaders: () => tracer.headers(),
    onCall: (server) => tracer.called(server),
    ...(options.lookup === undefined ? {} : { lookup: options.lookup }),
  });
  closers.defer(() => trusted.close());
  const budgets = new Budgets({
    limits: config.budgets,
    endUserPercent: config.endUserPercent,
    now: () => clock.now(),
  });
  const media = openMedia(config, options.media, budgets, log, closers);
  const { fetch } = trusted;
  const nativeParts = (await options.nativeParts) ?? installedParts();
  const tools = { temporaryDirectory, clock, log, fetch, pictures: media };
  const reloadCatalog = async () => {
    catalog = await load();
  };
  const own: Engine[] = [];
  for (const added of models)
    own.push(...(await added.openEngines({ ...tools, process: processId, reloadCatalog }, closers)));
  const engineTools = { ...tools, films: nativeParts.films };
  const engines = await openServiceEngines(config, [...own, ...(options.engines ?? [])], engineTools, closers);
  // Not during an order: by then, files of the program may have been replaced.
  if ([...engines.values()].some(({ isLocal }) => isLocal !== true)) await trusted.load();
  const worker = new LocalWorker();
  const { wrapValves } = options;
  const onUsable = () => worker.runner?.wake();
  const instanceParts = { config, database, log, tools, startRefresh };
  const routes = await Promise.all(opened.flatMap((addition) => addition.routes?.(instanceParts, closers) ?? []));
  const instances = joinInstances(routes.flatMap((added) => added.instances ?? []));
  const [routeFilter, ...others] = routes.flatMap(({ filter }) => filter ?? []);
  if (others.length > 0) throw new Error('two additions filter the routes of orders; only one may');
  const engineSet = createEngineSet(engines, instances);
  const sharing = opened.find((addition) => addition.shareLimits);
  const shareLimits = (limits: EngineLimits) =>
    sharing?.shareLimits?.(
      limits,
      {
        config,
        database,
        engines,
        log,
        startRefresh,
        tempo: options.tempo ?? {},
        answers: createAnswers(),
        countOrders: (queue, most) => countOrdersIn(database.read, queue, most),
      },
      closers,
    );
  const routing = await openRouting(
    { database, clock, log, engines: engineSet, startRefresh, shareLimits, wrapValves, onUsable },
    closers,
  );

  collectDefaultMetrics({ register: registry });
  measureHeartbeat(registry, data.process);
  const digestSecret = await secretOf(database, 'key_digests');
  const processState = await openProcessState({
    database,
    clock,
    startRefresh,
    process: { id: processId, role: config.role, host: hostname() },
    engines: () => enginesInUse(engines).map(({ name }) => name),
    keys: keyDigests(config, digestSecret),
    spendLimits: spendLimitsOf(engines),
    priced: pricedEngines(enginesOn(engines, config.engines), config.terms, catalog.models),
    storage: storageDigest(config, digestSecret),
    settingOf: (engine) => ENGINE_SWITCHES[engine] ?? 'key in DARKROOM_ENGINES_FILE',
    publish: (facts) => data.process.heartbeat.publish(facts),
  });
  closers.defer(() => processState.stop());
  const signingSecrets = await openSigningSecrets({ database, clock, startRefresh });
  closers.defer(() => signingSecrets.close());
  const asking = { config, database, clock, process: processId, startRefresh, everyMs: options.tempo?.addedEveryMs };
  const shared = {
    ...data,
    ...routing,
    signingSecrets,
    log,
    fetch,
    engines,
    instances,
    engineSet,
    routeFilter: routeFilter ?? NO_FILTER,
    registry,
    startRefresh,
    worker,
    outages: new Outages(clock, log),
    addedChecks: await startAddedChecks(opened, asking, closers),
    processState,
  };
  const services = await openServices(
    { ...shared, config, options, publicUrl, catalog: () => catalog, budgets, media },
    closers,
  );
  tracer = services.tracer;
  warnThinMargins(catalog, enginesOn(engines, config.engines), config.terms, log);
  const reloadAndJudge = async () => {
    await reloadCatalog();
    warnThinMargins(catalog, enginesOn(engines, config.engines), config.terms, log);
  };
  return { ...shared, services, reloadCatalog: reloadAndJudge, tempo: options.tempo ?? {} };
}

/**
 * Opens the media tools, whose processes start with the first file. Media that API keys send count against their
 * budgets, once if an order follows its price.
 * @param given used in place of new ones.
 */
function openMedia(
  { mediaProcesses }: Pick<Config, 'mediaProcesses'>,
  given: MediaTools | undefined,
  budgets: Budgets,
  log: Log,
  closers: AsyncDisposableStack,
): MediaTools {
  const media =
    given ??
    createMediaTools({
      ...(mediaProcesses === null ? {} : { size: mediaProcesses }),
      onEnded: ({ reason, cause }, { task }) =>
        log.warn({ err: cause, reason, task }, 'media process ended before it had read its file'),
    });
  closers.defer(() => media.close());
  return rememberProbes(budgetMedia(media, budgets));
}

type Tools = Pick<EngineSettings, 'temporaryDirectory' | 'clock' | 'log' | 'fetch' | 'pictures' | 'films'>;

/** Opens the configured engines and adds those of a test, by name. */
async function openServiceEngines(
  config: Pick<Config, 'engines' | 'painters' | keyof ConfiguredEngines>,
  added: readonly Engine[],
  tools: Tools,
  closers: AsyncDisposableStack,
): Promise<ReadonlyMap<string, Engine>> {
  const opened = await openEngines({
    only: config.engines,
    painters: config.painters,
    ...tools,
    upstreams: config.upstreams,
    engineLimits: config.engineLimits,
    engineInstances: config.engineInstances,
    ownEngines: config.ownEngines,
  }).catch((error: unknown) => {
    if (!(error instanceof OwnEngineFault)) throw error;
    throw new ConfigFault([{ variable: OWN_ENGINES_VARIABLE, message: error.message }]);
  });
  const engines = new Map([...opened, ...added.map((engine): [string, Engine] => [engine.name, engine])]);
  for (const engine of engines.values()) closers.defer(() => engine.close?.());
  return engines;
}
