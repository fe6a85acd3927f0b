import type { Readable } from 'node:stream';
import type { Heartbeat } from '@darkroom-service/store';
import type { Installation } from '../installation/installation.ts';
import type { EngineSet } from '../routing/engine-set.ts';
import type { ProcessState } from '../routing/process-state.ts';
import type { Valves } from '../routing/valves.ts';
import type { Interceptors } from '../tasks/interceptor.ts';
import type { TaskServices } from '../tasks/task-services.ts';
import type { CallbackTrust } from './callback-trust.ts';
import type { ConfirmedUnsent } from './confirmed-unsent.ts';
import type { EngineLoad } from './engine-load.ts';
import type { LastChecks } from './last-checks.ts';
import type { UnsavedAnswers } from './spool/unsaved-answers.ts';

/** The services that only the worker needs, besides the shared ones. */
export interface WorkerServices {
  readonly services: TaskServices;
  /** Identifies this process in claims. */
  readonly worker: string;
  readonly engines: EngineSet;
  readonly valves: Valves;
  readonly load: EngineLoad;
  readonly fetchOutput: OutputFetch;
  readonly interceptors: Interceptors;
  readonly heartbeat: Pick<Heartbeat, 'ageMs' | 'onReport' | 'expectCall' | 'running'>;
  /** Time without a heartbeat after which a process counts as silent, and its resumable tasks are taken over. */
  readonly leaseMs: number;
  readonly installation: Pick<Installation, 'maySubmit' | 'mayAdvance'>;
  readonly confirmedUnsent: ConfirmedUnsent;
  readonly answers: UnsavedAnswers;
  readonly processState: ProcessState;
  readonly callbacks: CallbackTrust;
  readonly checks: Pick<LastChecks, 'record' | 'forget'>;
}

/** Opens an output that an engine delivers by URL, with limits of size and time. */
export type OutputFetch = (
  url: string,
  options: {
    readonly headers: Readonly<Record<string, string>>;
    /** Origins that may be reached at any address. */
    readonly allowOrigins: readonly string[];
    readonly signal: AbortSignal;
  },
) => Promise<Readable>;
