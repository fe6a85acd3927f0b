import type { BatchView, Clock } from '@darkroom-service/contract';
import type { Engine } from '@darkroom-service/engines';
import type { TrustedFetch } from '@darkroom-service/media';
import type { Registry } from 'prom-client';
import type { OrderingKey } from '../../accounts/api-key.ts';
import type { SigningSecrets } from '../../accounts/signing-secrets.ts';
import type { Log } from '../../base/log.ts';
import type { StartRefresh } from '../../database/refresh.ts';
import type { WorkKind } from '../../database/work.ts';
import type { Hold } from '../../installation/operated-hold.ts';
import type { EngineLimits } from '../../routing/engine-limits.ts';
import type { OperatedValves } from '../../routing/operated-valves.ts';
import type { OwnedInstances } from '../../routing/owned-instances.ts';
import type { LocalQueue } from '../../tasks/events/runner-relay.ts';
import type { TaskHooks } from '../../tasks/task-hooks.ts';
import type { TaskServices } from '../../tasks/task-services.ts';
import type { AddedTempo } from '../added-tempo.ts';
import type { Config } from '../config/config.ts';
import type { Checks } from '../operations/checks.ts';
import type { Readiness } from '../readiness.ts';
import { type Accounts, openAccounts, type Welcome } from './accounts.ts';
import { type Customers, openCustomers } from './customers.ts';
import { type Engines, openEngineParts } from './engines.ts';
import { type Files, openFiles } from './files.ts';
import { type Gates, openGates } from './gates.ts';
import { type Groups, openGroups } from './groups.ts';
import type { Http } from './http.ts';
import { IDEMPOTENCY, type Idempotency } from './idempotency.ts';
import { type Inputs, openInputs } from './inputs.ts';
import { type Installation, openInstallation } from './installation.ts';
import { type Keys, openKeys } from './keys.ts';
import { type Models, openModels } from './models.ts';
import { type Money, openMoney } from './money.ts';
import { type Orders, openOrders } from './orders.ts';
import { type Outputs, openOutputs } from './outputs.ts';
import { type OwnProcess, openOwnProcess } from './process.ts';
import { openStore, type Store } from './store.ts';
import { openTasks, type Tasks } from './tasks.ts';
import { openValues, type Values } from './values.ts';
import { openWork, type Work } from './work.ts';

/** The service, as an addition gets it when it is opened. Each part has at most twelve members. */
export interface Kernel {
  readonly orders: Orders;
  readonly tasks: Tasks;
  readonly groups: Groups;
  readonly models: Models;
  readonly gates: Gates;
  readonly idempotency: Idempotency;
  readonly accounts: Accounts;
  readonly keys: Keys;
  readonly customers: Customers;
  readonly money: Money;
  readonly work: Work;
  readonly process: OwnProcess;
  readonly store: Store;
  readonly files: Files;
  readonly inputs: Inputs;
  readonly outputs: Outputs;
  readonly engines: Engines;
  readonly installation: Installation;
  /** Requests and answers; undefined in a process that does not serve HTTP. */
  readonly http?: Http<Kernel>;
  /** State of the whole service: processes, open orders, engines that fail, margins. */
  readonly checks: Checks;
  readonly settings: Values;
  /** Hooks of all additions: their tables with data of people, and their groups of orders. */
  readonly hooks: readonly TaskHooks[];
  readonly clock: Clock;
  readonly log: Log;
  /** Registry of the metrics of this process. */
  readonly figures: Registry;
}

/** The service in a process that serves HTTP. */
export type ServingKernel = Kernel & { readonly http: Http<Kernel> };

/** Finds a batch of a key, as it is now. @throws ServiceError `not_found` */
export type FindBatch = (
  kernel: Pick<Kernel, 'settings' | 'store'>,
  key: OrderingKey,
  batchId: string,
) => Promise<BatchView>;

/** The parts of an open service that the kernel is made of. */
export interface KernelParts {
  readonly services: TaskServices;
  /** Finds a batch of a key; null = no addition places batches. */
  readonly findBatch: FindBatch | null;
  readonly process: Parameters<typeof openOwnProcess>[0]['process'];
  readonly startRefresh: StartRefresh;
  readonly config: Config;
  readonly checks: Checks;
  readonly registry: Registry;
  readonly fetch: TrustedFetch;
  readonly engineOf: (name: string) => Engine | undefined;
  /** The operator's engines, by name. */
  readonly engines: ReadonlyMap<string, Engine>;
  readonly instances: OwnedInstances;
  readonly readiness: Pick<Readiness, 'outages' | 'endedOutages'>;
  /** The limits of engines in force. */
  readonly limits: Pick<EngineLimits, 'of'>;
  readonly valves: OperatedValves;
  readonly signingSecrets: Pick<SigningSecrets, 'of' | 'refresh'>;
  readonly hold: Hold;
  readonly reloadCatalog: () => Promise<void>;
  /**
   * Queues of the additions' work in this process, by kind of work: `work.wake` wakes them, and a canceled order aborts
   * their work on it.
   */
  readonly queues: Map<WorkKind, LocalQueue>;
  /** The texts for the person who sees the first keys. */
  readonly welcomes: Set<Welcome>;
  readonly tempo: AddedTempo;
}

/** Opens the kernel of a process, without HTTP. */
export function openKernel(parts: KernelParts, closers: Pick<AsyncDisposableStack, 'defer'>): Kernel {
  const { services, checks } = parts;
  const { clock, hooks, log } = services;
  return {
    ...openLinked(parts),
    models: openModels(services, parts.config),
    gates: openGates(services),
    idempotency: IDEMPOTENCY,
    accounts: openAccounts(services, parts.signingSecrets, parts.welcomes),
    keys: openKeys(services),
    customers: openCustomers(services.database),
    money: openMoney(services),
    inputs: openInputs(services.database),
    outputs: openOutputs(services),
    work: openWork(services, parts, closers),
    store: openStore(services),
    engines: openEngineParts(parts),
    process: openOwnProcess(parts, closers),
    installation: openInstallation(parts),
    checks,
    hooks,
    clock,
    log,
    figures: parts.registry,
  };
}

/** Adds HTTP to the kernel of a process. @param open opens it, given the function that links the parts to a request */
export function serveKernel(
  kernel: Kernel,
  parts: KernelParts,
  open: (link: (services: TaskServices) => Kernel) => Http<Kernel>,
): ServingKernel {
  const known = new WeakMap<TaskServices, Kernel>();
  const link = (services: TaskServices): Kernel => {
    if (services === parts.services) return serving;
    const found = known.get(services) ?? { ...serving, ...openLinked({ ...parts, services }) };
    known.set(services, found);
    return found;
  };
  const serving: ServingKernel = { ...kernel, http: open(link) };
  return serving;
}

/** Opens the parts whose answers contain links to the service. */
function openLinked({
  services,
  config,
  fetch,
  findBatch,
}: KernelParts): Pick<Kernel, 'orders' | 'tasks' | 'groups' | 'files' | 'settings'> {
  const own = { settings: openValues(config, services), store: openStore(services) };
  return {
    orders: openOrders(services),
    tasks: openTasks(services),
    groups: openGroups(services, async (key, batchId) => (await findBatch?.(own, key, batchId)) ?? null),
    files: openFiles(services, fetch),
    settings: own.settings,
  };
}
