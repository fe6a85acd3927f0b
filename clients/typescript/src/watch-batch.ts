import type { OrderFacts } from './errors.ts';
import type { Batch } from './generated/interface.ts';
import { pause } from './pause.ts';
import type { Transport } from './transport.ts';
import type { Watched } from './watch.ts';
import { POLL_RETRIES } from './watch-task.ts';

const POLL_PAUSE_MS = 2_000;

export function batchPath(batchId: string): string {
  return `/v1/batches/${encodeURIComponent(batchId)}`;
}

export function isEnded({ status }: Pick<Batch, 'status'>): boolean {
  return status !== 'processing';
}

export function watchedBatch(transport: Transport, batchId: string, known: OrderFacts = {}): Watched<Batch> {
  return {
    path: `${batchPath(batchId)}/events`,
    eventName: 'batch',
    // A batch has no revision. It is never behind, because each stream and poll begins after the one before.
    isNewer: (found, latest) => JSON.stringify(found) !== JSON.stringify(latest),
    isFinal: isEnded,
    facts: (latest) => ({ ...known, batchId, batch: latest ?? known.batch }),
    async poll({ signal, facts }, waits) {
      // After an abort the next call throws the error that names the batch.
      if (waits) await pause(POLL_PAUSE_MS, signal).catch(() => undefined);
      const call = { path: batchPath(batchId), retries: POLL_RETRIES, signal, facts };
      return (await transport.send<Batch>(call)).data;
    },
  };
}
