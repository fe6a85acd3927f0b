import { world } from '@darkroom-service/contract';
import { releaseService } from '../../src/routing/installation/suspend.ts';
import type { Asking } from './asking.ts';
import type { Customers } from './customers.ts';
import type { SimulatedDisk } from './disk.ts';
import type { Machines } from './machines.ts';
import type { MemoryStorage } from './memory-storage.ts';
import type { Seeded } from './seeded.ts';

/** So many customers place orders after a backup was restored. */
const CUSTOMERS_AFTER = 10;

/** Marks a database as the command `restore` does, so that its installation is held. */
function markAsCopy(disk: SimulatedDisk, since: number): void {
  const held = JSON.stringify({ cause: 'copied', message: null, since });
  disk.prepare(`insert into installation (row, id, owner, beat, held) values (1, 'ins_backup', '', 0, '${held}')
    on conflict (row) do update set held = excluded.held`);
}

/** Creates what restores a backup of some time ago, and releases the service as its successor. */
export function createRestore({
  asking,
  customers,
  machines,
  seeded,
  tell,
  ...given
}: {
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
  /** Whether the service is a copy that was not released, so that nothing may be sent. */
  readonly copy: { isHeld: boolean };
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
      markAsCopy(given.disk, world.now());
      given.copy.isHeld = true;
      given.onRestored();
    });
    const later = Array.from({ length: CUSTOMERS_AFTER }, (_, place) => customers.order(`r${place + 1}`));
    await asking.pause(seeded.between(1_000, 30_000));
    given.copy.isHeld = false;
    tell('operator', 'releases it as the successor');
    const wish = { as: 'successor', dropsWebhooks: false } as const;
    await asking.insist(async ({ database, createId }) => {
      const act = { actor: 'operator', now: world.now(), createId };
      return { held: await releaseService(database, act, wish, false) };
    });
    await Promise.all(later);
  };
}
