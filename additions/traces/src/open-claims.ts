import type { Attributes } from '@opentelemetry/api';
import type { OrderTrace } from './order-traces.ts';

const CHECKS_AT_MOST = 100;
/** Time without work after which a lease no longer belongs to this process. */
const FORGOTTEN_MS = 3_600_000;
const LOOK_EVERY_MS = 60_000;

/** The checks of one claim. */
interface Checks {
  readonly startedAt: number;
  endedAt: number;
  count: number;
  /** First checks, with their times in milliseconds since 1970. */
  readonly events: { readonly at: number; readonly fault: string | null }[];
  /** Attributes of the last answer. */
  called: Attributes;
}

/** A lease of this process on a sampled order. It may rest between checks. */
export interface OpenClaim {
  readonly taskId: string;
  readonly fence: number;
  readonly trace: OrderTrace;
  readonly startedAt: number;
  readonly attributes: Attributes;
  /** Time when it was last worked on. */
  touchedAt: number;
  isWorking: boolean;
  checks: Checks | null;
}

/** The claims of this process whose spans have not ended. */
export class OpenClaims {
  readonly #open = new Map<string, OpenClaim>();
  readonly #end: (claim: OpenClaim) => void;
  #lookedAt = 0;

  /** @param end called with each claim once, when it has ended at `touchedAt` */
  constructor(end: (claim: OpenClaim) => void) {
    this.#end = end;
  }

  /** Continues a claim after its pause. @returns null if it is a new one */
  continue(taskId: string, fence: number): OpenClaim | null {
    const open = this.#open.get(taskId);
    if (open === undefined) return null;
    if (open.fence === fence) {
      open.isWorking = true;
      return open;
    }
    this.#close(open);
    return null;
  }

  begin(claim: OpenClaim): void {
    this.#open.set(claim.taskId, claim);
    this.#closeForgotten(claim.startedAt);
  }

  /** Records that the work has ended, for now or finally. */
  pause(claim: OpenClaim, now: number, keepsLease: boolean): void {
    claim.touchedAt = now;
    claim.isWorking = false;
    if (!keepsLease && this.#open.get(claim.taskId) === claim) this.#close(claim);
  }

  /** Records that the order has ended. */
  orderEnded(taskId: string): void {
    const open = this.#open.get(taskId);
    if (open !== undefined && !open.isWorking) this.#close(open);
  }

  endAll(): void {
    for (const open of [...this.#open.values()]) this.#close(open);
  }

  #close(claim: OpenClaim): void {
    this.#open.delete(claim.taskId);
    this.#end(claim);
  }

  #closeForgotten(now: number): void {
    if (now - this.#lookedAt < LOOK_EVERY_MS) return;
    this.#lookedAt = now;
    for (const open of [...this.#open.values()])
      if (!open.isWorking && now - open.touchedAt > FORGOTTEN_MS) this.#close(open);
  }
}

/** Records a check. Beyond the first hundred only their number counts. */
export function recordCheck(
  claim: OpenClaim,
  { startedAt, endedAt, fault, called }: Pick<Checks, 'startedAt' | 'endedAt' | 'called'> & { fault: string | null },
): void {
  claim.checks ??= { startedAt, endedAt, count: 0, events: [], called };
  Object.assign(claim.checks, { endedAt, called });
  claim.checks.count++;
  if (claim.checks.events.length < CHECKS_AT_MOST) claim.checks.events.push({ at: startedAt, fault });
}
