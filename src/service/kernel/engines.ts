import type { EngineLimitsView } from '@darkroom-service/contract';
import type { Engine } from '@darkroom-service/engines';
import { partsOf, queuesOf } from '../../queue/queue-names.ts';
import { figureName, keyedEngine, keyedPartsOf } from '../../record/owned-instance.ts';
import { type EngineLimits, viewLimits } from '../../routing/engine-limits.ts';
import type { OperatedValves } from '../../routing/operated-valves.ts';
import type { OwnedInstances } from '../../routing/owned-instances.ts';
import type { TaskServices } from '../../tasks/task-services.ts';

/** Engines of the operator and of accounts. */
export interface Engines {
  /**
   * Returns an engine; undefined if it is not configured.
   * @example const engine = kernel.engines.get('sketch');
   */
  get(name: string): Engine | undefined;
  /**
   * The operator's engines by name, also those that cannot be used now.
   * @example const names = [...kernel.engines.operated.keys()];
   */
  readonly operated: ReadonlyMap<string, Engine>;
  /**
   * The engines of accounts.
   * @example const kinds = [...kernel.engines.owned.kinds.keys()];
   */
  readonly owned: OwnedInstances;
  /**
   * Returns the engine and the mode in the name of a queue.
   * @example const { engine } = kernel.engines.ofQueue('sketch:live');
   */
  ofQueue: typeof partsOf;
  /**
   * Returns the names of an engine's queues: of live, test and simulated orders.
   * @example const [live] = kernel.engines.queues('sketch');
   */
  queues: typeof queuesOf;
  /**
   * Returns the name of an account's engine, and reads it.
   * @example const name = kernel.engines.nameOwned('fal', 'upk_1');
   */
  nameOwned: typeof keyedEngine;
  /**
   * Returns the kind and the key in the name of an account's engine; null for an engine of the operator.
   * @example const isOwned = kernel.engines.readOwned('sketch') !== null;
   */
  readOwned: typeof keyedPartsOf;
  /**
   * Returns the name of an engine in metrics: all engines of accounts of one kind share one.
   * @example const label = kernel.engines.figureName('sketch');
   */
  figureName: typeof figureName;
  /**
   * Returns the current limits of an engine; null if it is not configured.
   * @example const most = kernel.engines.limits('fal')?.concurrency;
   */
  limits(name: string): EngineLimitsView | null;
  /**
   * Valves of engines, as operators see and set them.
   * @example const reason = kernel.engines.valves.failureOf('fal');
   */
  readonly valves: OperatedValves;
  /**
   * Makes the worker of this process check an order about which its upstream called.
   * @returns whether this process works on the order
   * @example const isHere = kernel.engines.calledBack(taskId, 'fal');
   */
  calledBack(taskId: string, engine: string): boolean;
  /**
   * Tells the process that works on an order that its upstream called.
   * @example kernel.engines.announceCall({ worker: 'prc_1', taskId, engine: 'fal' });
   */
  announceCall(call: { readonly worker: string; readonly taskId: string; readonly engine: string }): void;
}

/** Opens the engines for additions. */
export function openEngineParts({
  services: { calledBack, announceCall },
  engineOf,
  engines,
  instances,
  limits,
  valves,
}: {
  readonly services: Pick<TaskServices, 'calledBack' | 'announceCall'>;
  readonly engineOf: Engines['get'];
  readonly engines: Engines['operated'];
  readonly instances: OwnedInstances;
  readonly limits: Pick<EngineLimits, 'of'>;
  readonly valves: OperatedValves;
}): Engines {
  return {
    get: engineOf,
    operated: engines,
    owned: instances,
    ofQueue: partsOf,
    queues: queuesOf,
    nameOwned: keyedEngine,
    readOwned: keyedPartsOf,
    figureName,
    limits: (name) => viewLimits(engineOf(name), limits),
    valves,
    calledBack,
    announceCall,
  };
}
