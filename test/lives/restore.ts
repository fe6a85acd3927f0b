import { world } from '@darkroom-service/contract';
import { releaseService } from '../../src/installation/suspend.ts';
import type { Asking } from './asking.ts';
import type { Customers } from './customers.ts';
import type { SimulatedDisk } from './disk.ts';
import type { Machines } from './machines.ts';
import type { MemoryStorage } from './memory-storage.ts';
import type { Plan } from './plan.ts';
import type { Seeded } from './seeded.ts';

/** So many customers place orders after a backup was restored. */
const CUSTOMERS_AFTER = 10;

/** Marks a database as the command `restore` does, so that its installation is held. */
function markAsCopy(disk: SimulatedDisk, since: number): void {
  const held = JSON.stringify({ cause: 'copied', message: null, since });
  disk.prepare(`insert into installation (row, id, owner, beat, held) values (1, 'ins_backup', '', 0, '${held}')
    on conflict (row) do update set held = excluded.held`);
}

/** A restore of a backup: when it was, by the clock and in milliseconds of the simulation; null = there was none. */
export interface Restored {
  /** Whether it was not released, so that nothing may be sent. */
  isHeld: boolean;
  since: number | null;
  atMs: number | null;
}

/** Creates what restores a backup of some time ago, and releases the service as its successor or as a copy. */
export function createRestore({
  plan,
  restored,
  asking,
  customers,
  machines,
  seeded,
  tell,
  ...given
}: {
  readonly plan: Plan;
  readonly restored: Restored;
  readonly disk: SimulatedDisk;
  readonly storage: MemoryStorage;
  /** Those who forget what they were told since the backup. */
  readonly people: readonly { remember(): () => void }[];
  readonly asking: Asking;
  readonly customers: Pick<Customers, 'order'>;
  readonly machines: Pick<Machines, 'replace'>;
  readonly seeded: Seeded;
  readonly tell: (who: string, what: string) => void;
  /** Called once the backup is there, before a process starts. */
  readonly onRestored: () => void;
}): () => Promise<void> {
  return async () => {
    await asking.pause(seeded.between(1_000, 20_000));
    const undo = [given.disk.backup(), given.storage.backup(), ...given.people.map((one) => one.remember())];
    tell('operator', 'takes a backup');
    await asking.pause(seeded.between(100, 40_000));
    asking.dropAll();
    await machines.replace(() => {
      for (const restore of undo) restore();
      tell('operator', 'restores the backup');
      Object.assign(restored, { isHeld: true, since: world.now(), atMs: world.monotonic() });
      markAsCopy(given.disk, world.now());
      given.onRestored();
    });
    const later = Array.from({ length: CUSTOMERS_AFTER }, (_, place) => customers.order(`r${place + 1}`));
    await asking.pause(seeded.between(1_000, 30_000));
    restored.isHeld = false;
    const as = plan.copies ? 'copy' : 'successor';
    tell('operator', `releases it as ${as}`);
    const wish = { as, dropsWebhooks: plan.copies } as const;
    await asking.insist(async ({ database, createId }) => {
      const act = { actor: 'operator', now: world.now(), createId };
      return { held: await releaseService(database, act, wish, false) };
    });
    await Promise.all(later);
  };
}
