import { openUnchecked } from '../database/open-database.ts';
import { markCopied } from '../installation/suspend.ts';

/** Marks a copied database, so that a service that starts on it sends nothing that its original may have sent. */
export async function holdCopy(path: string, now: number): Promise<void> {
  const copy = await openUnchecked({ url: null, path });
  try {
    await markCopied(copy, now);
  } finally {
    await copy.close();
  }
}
