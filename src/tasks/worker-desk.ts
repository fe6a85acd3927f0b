import type { Engine } from '../engines/engine.ts';
import type { Circuits } from './circuits.ts';
import type { Lease } from './claim-tasks.ts';
import type { OutputFetch } from './collect-outputs.ts';
import type { Desk } from './desk.ts';
import type { Moderation } from './moderation.ts';
import type { UnsentOrders } from './unsent-orders.ts';

/** What the working half of the service needs besides the desk. */
export interface WorkerDesk {
  readonly desk: Desk;
  /** Identifies this process in claims. */
  readonly worker: string;
  readonly engines: ReadonlyMap<string, Engine>;
  readonly circuits: Circuits;
  readonly moderation: Moderation | null;
  readonly fetchOutput: OutputFetch;
  readonly lease: Lease;
  readonly unsent: UnsentOrders;
}

/** A task held by this process. */
export interface Held {
  /** Aborted when the claim is lost or the service stops. */
  readonly signal: AbortSignal;
  /** Called while the task is in an engine that could be told to stop; undefined otherwise. */
  onCancel: (() => void) | undefined;
  /** What is under way can be taken up again later, so a stop breaks it off; otherwise it is waited for. At first it can. */
  setResumable(resumable: boolean): void;
}
