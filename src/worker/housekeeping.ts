import { world } from '@darkroom-service/contract';
import { claimChore } from '../database/work.ts';
import type { Chore, CreateChores } from '../erasure/chore.ts';
import { type HousekeepingServices, serviceChores } from './service-chores.ts';

interface HousekeepingOptions {
  /** Chores of all additions. */
  readonly chores?: readonly CreateChores[];
  /** Whether the installation is suspended. Then no chore runs: a copy must not delete data of its original. */
  readonly isSuspended?: () => boolean;
}

const EVERY_MS = 60_000;

/**
 * Periodic chores, run by one process at a time: retention, expired uploads, ledger checkpoints,
 * sums by day, removal of old tasks, orphaned files, and the chores of additions.
 */
export class Housekeeping {
  readonly #services: HousekeepingServices;
  readonly #isSuspended: () => boolean;
  readonly #chores: readonly Chore[];
  /** Chores run independently, so a long one does not delay the others. */
  readonly #running = new Map<string, Promise<void>>();
  readonly #timer: NodeJS.Timeout;
  /** A stopped chore is due again at the next turn. */
  readonly #stopping = new AbortController();

  constructor(services: HousekeepingServices, { chores = [], isSuspended = () => false }: HousekeepingOptions = {}) {
    const { signal } = this.#stopping;
    this.#services = services;
    this.#isSuspended = isSuspended;
    this.#chores = [...serviceChores(services, signal), ...chores.flatMap((create) => create(signal))];
    this.#timer = world.setInterval(() => this.#runDue(), EVERY_MS);
    this.#timer.unref();
  }

  /** Runs all chores now, also if another process has its turn. */
  async runOnce(): Promise<void> {
    for (const { run } of this.#chores) if (!this.#isSuspended()) await run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    world.clearInterval(this.#timer);
    await Promise.all(this.#running.values());
  }

  #runDue(): void {
    for (const chore of this.#chores) {
      const { name } = chore;
      if (this.#running.has(name)) continue;
      this.#running.set(
        name,
        this.#takeTurn(chore).finally(() => this.#running.delete(name)),
      );
    }
  }

  async #takeTurn({ name, everyMs, run }: Chore): Promise<void> {
    const { database, log } = this.#services;
    try {
      const mayRun = !this.#stopping.signal.aborted && !this.#isSuspended();
      if (mayRun && (await claimChore(database, name, everyMs))) await run();
    } catch (error) {
      log.error({ err: error, chore: name }, 'housekeeping task failed; retrying at its next run');
    }
  }
}
