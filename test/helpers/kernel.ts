import { type Clock, createIdFactory, systemClock } from '@darkroom-service/contract';
import type { Engine } from '@darkroom-service/engines';
import type { Heartbeat } from '@darkroom-service/store';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { ADDITIONS } from '../../src/additions/list.ts';
import type { Database } from '../../src/database/database.ts';
import { operateHold } from '../../src/installation/operated-hold.ts';
import { joinInstances } from '../../src/routing/owned-instances.ts';
import { type Kernel, type KernelParts, openKernel } from '../../src/service/kernel/kernel.ts';
import { createChecks } from '../../src/service/operations/checks.ts';
import type { TaskServices } from '../../src/tasks/task-services.ts';
import { loadConfig } from './load-config.ts';
import { startTestRefresh } from './start-refresh.ts';

const CONFIG = loadConfig({});
const ENGINES: KernelParts['engines'] = new Map([['sketch', { name: 'sketch' } as Engine]]);

const reportFailure: Heartbeat['onReport'] = (listener) => {
  listener({ kind: 'failed', message: 'This test has no heartbeats.' });
  return () => {};
};

/** Creates the parts of a kernel over services, with an engine `sketch` that is never called. */
export function kernelPartsOf(services: TaskServices): KernelParts {
  return {
    services,
    process: { id: 'test', heartbeat: { onReport: reportFailure } },
    startRefresh: startTestRefresh,
    config: CONFIG,
    checks: createChecks(services, ENGINES, null),
    registry: new Registry(),
    fetch: () => Promise.reject(new Error('This test calls no other servers.')),
    engineOf: () => undefined,
    engines: ENGINES,
    limits: { of: ({ concurrency }) => concurrency },
    readiness: { outages: () => [], endedOutages: () => [] },
    instances: joinInstances([]),
    valves: { failureOf: () => null } as unknown as KernelParts['valves'],
    signingSecrets: { of: () => ({ signing: 'test', accepted: ['test'] }), refresh: async () => {} },
    hold: operateHold({ suspension: null, refresh: async () => {} }, services.database),
    reloadCatalog: async () => {},
    queues: new Map(),
    findBatch: ADDITIONS.find(({ findBatch }) => findBatch !== undefined)?.findBatch ?? null,
    welcomes: new Set(),
    tempo: {},
  };
}

const opened = new WeakMap<TaskServices, Kernel>();

/** Opens the kernel of services, once for each. Tests stop what they start on it. */
export function kernelOf(services: TaskServices): Kernel {
  const kernel = opened.get(services) ?? openKernel(kernelPartsOf(services), { defer: () => {} });
  opened.set(services, kernel);
  return kernel;
}

/** Opens the parts of the kernel that need nothing but a database. */
export function kernelOfDatabase(
  database: Database,
  clock: Clock = systemClock,
): Pick<Kernel, 'accounts' | 'clock' | 'store' | 'work'> {
  return kernelOf({
    database,
    clock,
    createId: createIdFactory(() => clock.now()),
    log: pino({ level: 'silent' }),
    settings: {},
    obstacles: { isSuspended: () => false, copiedAt: () => null },
    wakeRunner: () => {},
    wakeWork: () => {},
  } as unknown as TaskServices);
}
