import { ApiError as ClientApiError } from '@darkroom/client/errors';
import type { TaskView as Task } from '@darkroom-service/contract';
import { useEffect, useState } from 'react';
import type { Batch } from './booked-order.ts';
import { openEvents } from './client.ts';
import { untilAnswering } from './connection.ts';
import { updateBatch } from './order-book.ts';
import { orderingKey, useSession } from './session.ts';
import { readAll } from './use-api.ts';

const LONGEST_PAUSE_MS = 15_000;

interface FollowedBatch {
  readonly batch: Batch | null;
  readonly tasks: readonly Task[];
  readonly error: Error | null;
  /** Whether the event stream was interrupted and is being reopened. */
  readonly interrupted: boolean;
}

const NOTHING: FollowedBatch = { batch: null, tasks: [], error: null, interrupted: false };

/** Follows a batch by its events until it has ended. Its tasks are refetched whenever it changes. */
export function useBatch(batchId: string): FollowedBatch {
  const secret = orderingKey(useSession());
  const [known, setKnown] = useState<FollowedBatch & { readonly of: string }>({ ...NOTHING, of: '' });
  const name = `${batchId} ${secret}`;
  useEffect(() => {
    const stopped = new AbortController();
    const { signal } = stopped;
    const change = (part: Partial<FollowedBatch>) => {
      if (!signal.aborted) setKnown((before) => ({ ...(before.of === name ? before : NOTHING), ...part, of: name }));
    };
    void follow(batchId, secret, signal, change);
    return () => stopped.abort();
  }, [batchId, secret, name]);
  return known.of === name ? known : NOTHING;
}

async function follow(
  batchId: string,
  secret: string | null,
  signal: AbortSignal,
  change: (part: Partial<FollowedBatch>) => void,
): Promise<void> {
  for (let pauseMs = 500; !signal.aborted; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      for await (const batch of eventsOf(batchId, secret, signal)) {
        pauseMs = 500;
        updateBatch(batch);
        change({ batch, tasks: await readTasks(batchId, signal), error: null, interrupted: false });
        if (batch.status !== 'processing') return;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ClientApiError && error.status < 500 && error.status !== 429) return change({ error });
    }
    change({ interrupted: true });
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    if (!signal.aborted) await untilAnswering();
  }
}

async function* eventsOf(batchId: string, key: string | null, signal: AbortSignal): AsyncGenerator<Batch> {
  const request = { path: { batch_id: batchId } };
  for await (const { name, data } of openEvents('GET /v1/batches/{batch_id}/events', request, { key, signal }))
    if (name === 'batch' && data !== null) yield JSON.parse(data) as Batch;
}

function readTasks(batchId: string, signal: AbortSignal): Promise<readonly Task[]> {
  return readAll('GET /v1/batches/{batch_id}/tasks', { path: { batch_id: batchId } }, ({ task_id: id }) => id, signal);
}
