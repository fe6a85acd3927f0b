import type { Readable } from 'node:stream';
import type { Heartbeat } from '../database/heartbeat.ts';
import type { Engine } from '../engines/engine.ts';
import type { Circuits } from '../routing/circuits.ts';
import type { TaskServices } from '../tasks/task-services.ts';
import type { EngineLoad } from './engine-load.ts';
import type { Moderation } from './moderation.ts';
import type { AnswersInHand } from './spool/answers-in-hand.ts';
import type { UnsentOrders } from './unsent-orders.ts';

/** What the worker needs beside the services that it shares with the rest. */
export interface WorkerServices {
  readonly services: TaskServices;
  /** Identifies this process in claims. */
  readonly worker: string;
  readonly engines: ReadonlyMap<string, Engine>;
  readonly circuits: Circuits;
  readonly load: EngineLoad;
  readonly moderation: Moderation | null;
  readonly fetchOutput: OutputFetch;
  readonly heartbeat: Pick<Heartbeat, 'ageMs' | 'onReport' | 'expectCall'>;
  /** After so long without a heartbeat a process counts as silent: what can be resumed is taken over. */
  readonly leaseMs: number;
  readonly unsent: UnsentOrders;
  readonly answers: AnswersInHand;
}

/** A task held by this process. */
export interface Held {
  /** Aborted when the service stops, or when the claim is lost while what is under way can be taken up again. */
  readonly signal: AbortSignal;
  /** Called while the task is in an engine that could be told to stop; undefined otherwise. */
  onCancel: (() => void) | undefined;
  /** What is under way can be taken up again later, so a stop breaks it off; otherwise it is waited for. At first it can. */
  setResumable(resumable: boolean): void;
}

/** Opens an output that an engine delivers by address, bounded in bytes and time. */
export type OutputFetch = (
  url: string,
  options: {
    readonly headers: Readonly<Record<string, string>>;
    /** Origins that may be reached whatever their address. */
    readonly allowOrigins: readonly string[];
    readonly signal: AbortSignal;
  },
) => Promise<Readable>;
