import { systemClock } from '@darkroom-service/contract/clock';
import { openSqlite } from '../database/sqlite-database.ts';
import { markCopied } from '../routing/installation/suspend.ts';

/** Marks a copied database, so that a service that starts on it sends nothing that its original may have sent. */
export async function holdCopy(path: string, now: number): Promise<void> {
  const copy = await openSqlite({ path, clock: systemClock });
  try {
    await markCopied(copy, now);
  } finally {
    await copy.close();
  }
}
