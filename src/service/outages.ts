import { type CheckResult, type Clock, isoTime } from '@darkroom-service/contract';
import type { Log } from '../base/log.ts';

export type DependencyName = 'database' | 'database writes' | 'storage' | 'temporary files' | 'spool';

/** The failed check of a dependency that certainly does not work for this process. */
export interface Outage extends CheckResult {
  readonly name: DependencyName;
  readonly since: string;
}

/** An outage that is over. */
interface EndedOutage extends Outage {
  readonly until: string;
}

/**
 * The outages of dependencies as this process sees them. Each is logged when it begins (`begin`) and when it ends
 * (`end`).
 */
export class Outages {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #current = new Map<string, Outage>();
  readonly #ended = new Map<string, EndedOutage>();

  constructor(clock: Clock, log: Log) {
    this.#clock = clock;
    this.#log = log;
  }

  /** Returns the current outage of a dependency. */
  of(name: string): Outage | undefined {
    return this.#current.get(name);
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
  begin(name: DependencyName, detail: string, cause: string): void {
    this.#log.error({ check: name, reason: cause }, 'outage began');
    this.#current.set(name, { name, ok: false, detail, since: isoTime(this.#clock.now()) });
  }

  /** Changes the reason of a current outage. */
  update(name: DependencyName, detail: string): void {
    const known = this.of(name);
    if (known !== undefined) this.#current.set(name, { ...known, detail });
  }

  end(name: DependencyName): void {
    const known = this.of(name);
    if (known === undefined) return;
    const now = this.#clock.now();
    this.#log.info({ check: name, outage_seconds: Math.round((now - Date.parse(known.since)) / 1000) }, 'outage ended');
    this.#current.delete(name);
    this.#ended.set(name, { ...known, until: isoTime(now) });
  }
}
