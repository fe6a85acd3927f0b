import type { Clock } from '@darkroom-service/contract';
import type { Log } from '../base/log.ts';

/** A dependency that does not work for this process. */
interface Outage {
  readonly check: DependencyName;
  /** Milliseconds since 1970, by the service's clock. */
  readonly since: number;
  readonly reason: string;
}

interface EndedOutage extends Outage {
  readonly until: number;
}

export type DependencyName = 'database' | 'database writes' | 'storage' | 'temporary files' | 'spool';

/**
 * The outages of dependencies as this process sees them. Each is logged when it begins (`begin`) and when it ends
 * (`end`).
 */
export class Outages {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #current = new Map<DependencyName, Outage>();
  readonly #ended = new Map<DependencyName, EndedOutage>();

  constructor(clock: Clock, log: Log) {
    this.#clock = clock;
    this.#log = log;
  }

  has(check: DependencyName): boolean {
    return this.#current.has(check);
  }

  /** Returns the current outages. */
  current(): readonly Outage[] {
    return [...this.#current.values()];
  }

  /** Returns the last outage of each dependency that has ended since the start. */
  ended(): readonly EndedOutage[] {
    return [...this.#ended.values()];
  }

  /** @param cause for the log: it may name paths */
  begin(check: DependencyName, reason: string, cause: string): void {
    this.#log.error({ check, reason: cause }, 'outage began');
    this.#current.set(check, { check, since: this.#clock.now(), reason });
  }

  /** Changes the reason of a current outage. */
  update(check: DependencyName, reason: string): void {
    const known = this.#current.get(check);
    if (known !== undefined) this.#current.set(check, { ...known, reason });
  }

  end(check: DependencyName): void {
    const known = this.#current.get(check);
    if (known === undefined) return;
    const until = this.#clock.now();
    this.#log.info({ check, outage_seconds: Math.round((until - known.since) / 1000) }, 'outage ended');
    this.#current.delete(check);
    this.#ended.set(check, { ...known, until });
  }
}
