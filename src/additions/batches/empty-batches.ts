import { sleep, timeIdPrefix, world } from '@darkroom-service/contract';
import type { Kernel, Transaction } from '../../kernel.ts';

const LOOKED_AT_TOGETHER = 500;
const MAX_PAUSE_MS = 200;

/** Update that removes the customer's own texts from batches. */
export const emptied = ({ builder }: Transaction) =>
  builder.updateTable('batches').set({ metadata_json: '{}', webhook_url: null, deliver_json: null });

/**
 * Erases the customers' texts in batches whose orders are erased by their age. Counts and sums stay.
 * @param from the result of an earlier call; '' starts at the first batch
 * @returns the id up to which nothing is left to erase
 */
export async function emptyOldBatches(
  { store, work }: Pick<Kernel, 'store' | 'work'>,
  from: string,
  signal: AbortSignal,
): Promise<string> {
  const { read } = store;
  const before = timeIdPrefix('bat', work.erasedBefore());
  let firstOpen: string | null = null;
  let done = from;
  for (let after = from; !signal.aborted; ) {
    const began = world.monotonic();
    const page = await read.all(
      read.builder
        .selectFrom('batches')
        .select(['id', 'status', 'metadata_json', 'webhook_url', 'deliver_json'])
        .where('id', '>', after)
        .where('id', '<', before)
        .orderBy('id')
        .limit(LOOKED_AT_TOGETHER),
    );
    const last = page.at(-1);
    if (last === undefined) break;
    after = last.id;
    const ids: string[] = [];
    for (const { id, status, metadata_json, webhook_url, deliver_json } of page) {
      if (status === 'processing') firstOpen ??= id;
      else if (metadata_json !== '{}' || webhook_url !== null || deliver_json !== null) ids.push(id);
      if (firstOpen === null) done = id;
    }
    if (ids.length > 0) await store.write('empty_batches', (trx) => trx.run(emptied(trx).where('id', 'in', ids)));
    // A pause as long as the work took.
    await sleep(Math.min(MAX_PAUSE_MS, world.monotonic() - began));
  }
  return done;
}
