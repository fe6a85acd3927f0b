import { createIdFactory } from '@darkroom-service/contract';
import { type Engine, enginesInUse, needsSpool } from '@darkroom-service/engines';
import { createReferences, isWildcard, type MediaTools, type TrustedFetch } from '@darkroom-service/media';
import type { Registry } from 'prom-client';
import type { Budgets } from '../accounts/budgets.ts';
import { createEntryIds } from '../accounts/entry-ids.ts';
import { RecentBalances } from '../accounts/recent-balances.ts';
import type { SigningSecrets } from '../accounts/signing-secrets.ts';
import type { Log } from '../base/log.ts';
import { VERSION } from '../base/process.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { StartRefresh } from '../database/refresh.ts';
import { WORK_KINDS } from '../database/work.ts';
import { compileFields } from '../orders/added-fields.ts';
import { WaitingCounts } from '../queue/waiting-counts.ts';
import type { RouteFilter } from '../record/route-filter.ts';
import type { EngineLimits } from '../routing/engine-limits.ts';
import type { createEngineSet } from '../routing/engine-set.ts';
import { openModelLists } from '../routing/model-lists.ts';
import type { OwnedInstances } from '../routing/owned-instances.ts';
import type { ProcessState } from '../routing/process-state.ts';
import { createRouting } from '../routing/routing.ts';
import type { Valves } from '../routing/valves.ts';
import { relayToRunners } from '../tasks/events/runner-relay.ts';
import { TaskEvents } from '../tasks/events/task-events.ts';
import { createFileSigner } from '../tasks/file-signer.ts';
import type { TaskServices } from '../tasks/task-services.ts';
import { createThumbnails } from '../tasks/thumbnails.ts';
import { NO_TRACER } from '../tasks/tracer.ts';
import type { AddedChecks } from './added-checks.ts';
import type { Addition } from './addition.ts';
import { assignBits } from './assignments.ts';
import type { Config } from './config/config.ts';
import { ENGINE_SWITCHES } from './config/engine-variables.ts';
import { vaultOf } from './config/owned-instance-variables.ts';
import { enabledAdditions } from './enabled-additions.ts';
import { secretOf } from './installation-secret.ts';
import { openLivingWorkers } from './living-workers.ts';
import type { LocalWorker } from './local-worker.ts';
import type { ServiceData } from './open-data.ts';
import type { Outages } from './outages.ts';
import type { ServiceOptions } from './service-options.ts';
import { createTaskMetrics } from './task-metrics.ts';
import { createTypicalSeconds } from './typical-seconds.ts';

const MEASURE_EVERY_MS = 10 * 60 * 1000;

/** The parts that are open before the services. */
export interface EarlyParts extends ServiceData {
  readonly log: Log;
  readonly fetch: TrustedFetch;
  readonly engines: ReadonlyMap<string, Engine>;
  readonly instances: OwnedInstances;
  /** The operator's engines, and those of accounts. */
  readonly engineSet: ReturnType<typeof createEngineSet>;
  /** Excludes routes from orders. */
  readonly routeFilter: RouteFilter;
  readonly signingSecrets: SigningSecrets;
  readonly valves: Valves;
  readonly limits: EngineLimits;
  readonly registry: Registry;
  readonly worker: LocalWorker;
  readonly outages: Outages;
  readonly addedChecks: AddedChecks;
  readonly processState: ProcessState;
  readonly startRefresh: StartRefresh;
}

interface ServicesParts extends EarlyParts {
  readonly config: Config;
  readonly options: Pick<ServiceOptions, 'additions'>;
  readonly publicUrl: string;
  readonly catalog: () => Catalog;
  readonly budgets: Budgets;
  readonly media: MediaTools;
}

/** Assembles the services that ordering, reading and running tasks share. */
export async function openServices(parts: ServicesParts, closers: AsyncDisposableStack): Promise<TaskServices> {
  const { config, log, publicUrl, temporaryDirectory, catalog, budgets, media, fetch, registry, worker } = parts;
  const { database, clock, storage, engines, valves, signingSecrets } = parts;
  const windowOf = (engine: string) => parts.engineSet.get(engine)?.windowMs ?? 0;
  const typicalSeconds = createTypicalSeconds(database, windowOf);
  const measuring = await parts.startRefresh('typical_durations', MEASURE_EVERY_MS, typicalSeconds.refresh);
  closers.defer(measuring.stop);
  const open = enabledAdditions(parts.options.additions ?? [], config.without);
  const [deliverTo] = open.flatMap((addition) => addition.deliverTo ?? []);
  const [openTracer] = open.flatMap((addition) => addition.openTracer ?? []);

  const lists = openModelLists({
    engines,
    models: () => catalog().models,
    decisionsIn: config.catalogDirectories[0] ?? '',
    log,
  });
  closers.defer(() => lists.stop());
  const workers = await openLivingWorkers(database, parts.startRefresh);
  closers.defer(() => workers.stop());
  const signals = relayToRunners(database, () => worker, {
    self: parts.process.id,
    isWorker: config.role !== 'api',
    workers: workers.known,
  });
  const settings = settingsOf(parts, open, windowOf);
  const createId = createIdFactory(() => clock.now(), config.cell);
  return {
    database,
    clock,
    createId,
    catalog,
    routing: routingOf(parts, { lists, secondsOf: (modelId, engine) => typicalSeconds.medianAt(modelId, engine) }),
    budgets,
    queueDepths: new WaitingCounts(clock),
    balances: new RecentBalances(),
    storage,
    media,
    references: createReferences({ fetch, storage, media, temporaryDirectory }),
    thumbnails: createThumbnails({ clock, createId, database, log, media, settings, storage }),
    signer: createFileSigner({
      secrets: () => signingSecrets.of('file_signature'),
      publicUrl,
      filesUrl: config.cdn?.url ?? publicUrl,
      hasEdge: config.cdn !== null,
      lifetimeMs: config.urlLifetimeMs,
      now: () => clock.now(),
    }),
    entryIds: createEntryIds(await secretOf(database, 'ledger_entry_ids')),
    events: new TaskEvents(database),
    typicalSeconds,
    figures: createTaskMetrics(registry, {
      claimedTasks: () => worker.runner?.claimedTasks ?? 0,
      valves: () => new Map(enginesInUse(engines).map(({ name }) => [name, valves.stateOf(name)])),
      build: { version: VERSION, node: process.version, role: config.role },
    }),
    tracer:
      (await openTracer?.({ config, process: parts.process.id, database, clock, registry, log }, closers)) ?? NO_TRACER,
    settings,
    readDeliverTo: deliverTo?.(config, database) ?? null,
    fields: compileFields(Object.assign({}, ...open.map(({ fields }) => fields))),
    hooks: (parts.options.additions ?? []).flatMap(({ hooks }) => hooks ?? []),
    ...(await assignBits(database, parts.options.additions ?? []).then(({ followers, gates }) => ({
      followers,
      gates: gates.filter(({ addition }) => !config.without.includes(addition)),
    }))),
    parentGate: open.flatMap(({ parentGate }) => parentGate ?? [])[0] ?? null,
    obstacles: {
      isSuspended: () => parts.installation.suspension !== null,
      copiedAt: () => parts.installation.copiedAt(),
      heldSince: () => parts.installation.suspension?.since ?? null,
      storageAwaySince: () => millisecondsOf(parts.outages.of('storage')?.since),
      hasNoWorker: () => config.role === 'api' && workers.areNone(),
      isSpoolAway: (name) => {
        const engine = parts.engineSet.get(name);
        if (engine === undefined || !needsSpool(engine)) return false;
        const others = parts.addedChecks.statusOf('disks of workers');
        return config.role === 'api' ? others === 'failed' : parts.outages.of('spool') !== undefined && others !== 'ok';
      },
    },
    immediateStart: () => worker.runner?.immediateStart ?? null,
    wakeRunner: () => signals.wake(),
    roomLeft: () => signals.roomLeft(),
    cancelRequested: (taskId, holder) => signals.cancelRequested(taskId, holder),
    calledBack: (taskId, engine) => signals.calledBack(taskId, engine),
    announceCall: (call) => signals.announceCall(call),
    wakeWork(kind, subject) {
      for (const each of kind === undefined ? WORK_KINDS : [kind]) signals.wakeWork(each, subject);
    },
    log,
  };
}

function millisecondsOf(time: string | undefined): number | null {
  return time === undefined ? null : Date.parse(time);
}

function settingsOf(parts: ServicesParts, open: readonly Addition[], windowOf: (engine: string) => number) {
  const { config, publicUrl } = parts;
  return {
    publicUrl,
    knownUrl: config.publicUrl === null && isWildcard(config.host) ? null : publicUrl,
    cdn: config.cdn,
    retentionMs: config.retentionMs,
    taskMs: config.taskMs,
    auditMs: config.auditMs,
    hardDeadlineMs: config.hardDeadlineMs,
    softDeadlineMs: config.softDeadlineMs,
    windowOf,
    ...config.upstreamWaits,
    instanceFee: config.instanceFee,
    vault: vaultOf(config),
    terms: config.terms,
    switches: ENGINE_SWITCHES,
    liveEngines: config.engines,
    maxDataUriBytes: config.maxDataUriBytes,
    storageLimits: config.storageLimits,
    temporaryDirectory: parts.temporaryDirectory,
    sources: new Set(open.flatMap(({ sources }) => sources ?? [])),
    allowedAddresses: config.allowedAddresses,
    showsEvents: open.some(({ serves }) => serves === 'task_events'),
    webhookAddresses: config.without.includes('webhooks') ? null : config.allowedAddresses,
  };
}

function routingOf(parts: ServicesParts, known: Pick<Parameters<typeof createRouting>[2], 'lists' | 'secondsOf'>) {
  const { config, clock } = parts;
  return createRouting(parts.engines, parts.valves, {
    ...known,
    live: config.engines,
    now: () => clock.now(),
    policy: config.routePolicy,
    terms: config.terms,
    priced: () => parts.processState.priced(),
    instances: parts.instances,
    filter: parts.routeFilter,
  });
}
