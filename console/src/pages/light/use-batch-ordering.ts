import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { ApiError } from '../../api/api-error.ts';
import { untilAnswering } from '../../api/connection.ts';
import { orderingKey, sessionStore } from '../../api/session.ts';
import { queryClient } from '../../api/use-api.ts';
import type { BatchBody } from './batch-body.ts';
import {
  forgetBatch,
  newPendingBatch,
  type PendingBatch,
  pendingBatch,
  sendBatch,
  usePendingBatch,
} from './pending-batch.ts';

/** Orders light tables, one at a time, and opens them. */
export interface BatchOrdering {
  readonly isPending: boolean;
  /** The batch whose answer was lost. It is repeated until it is confirmed or given up. */
  readonly unconfirmed: PendingBatch | null;
  readonly refusal: ApiError | null;
  place(body: BatchBody): void;
  giveUp(): void;
}

/** Up to this age an unconfirmed batch is repeated unasked; an older one waits for a click. */
const RESOLVED_UNASKED_MS = 10 * 60_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

export function useBatchOrdering(): BatchOrdering & { repeat(): void } {
  const [, navigate] = useLocation();
  const [refusal, setRefusal] = useState<ApiError | null>(null);
  const pending = usePendingBatch();
  const isShown = useRef(true);
  const pauseMs = useRef(FIRST_PAUSE_MS);

  const submit = async (batch: PendingBatch) => {
    const other = pendingBatch();
    if (other !== null && (other.state === 'sending' || other.idempotencyKey !== batch.idempotencyKey)) return;
    setRefusal(null);
    const sender = orderingKey(sessionStore.get());
    try {
      const id = await sendBatch(batch);
      pauseMs.current = FIRST_PAUSE_MS;
      if (isShown.current && orderingKey(sessionStore.get()) === sender) navigate(`/light/${id}`);
    } catch (error) {
      const known =
        error instanceof ApiError ? error : new ApiError({ status: 0, code: 'unknown', message: String(error) });
      if (known.code === 'price_exceeded')
        void queryClient.invalidateQueries({ queryKey: ['POST /v1/batches/prices'] });
      setRefusal(known);
    }
  };

  const resolve = useEffectEvent(async (isGone: () => boolean) => {
    const left = pendingBatch();
    if (left?.state !== 'unconfirmed' || Date.now() - left.at > RESOLVED_UNASKED_MS) return;
    // The first repetition comes at once: most answers are lost with the page or by a short break.
    if (pauseMs.current > FIRST_PAUSE_MS) await new Promise((done) => setTimeout(done, pauseMs.current));
    pauseMs.current = Math.min(pauseMs.current * 2, LONGEST_PAUSE_MS);
    await untilAnswering();
    if (!isGone()) await submit(left);
  });
  const unconfirmed = pending?.state === 'unconfirmed' ? pending : null;
  useEffect(() => {
    if (unconfirmed === null) return;
    let gone = false;
    void resolve(() => gone);
    return () => {
      gone = true;
    };
  }, [unconfirmed]);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);

  return {
    isPending: pending?.state === 'sending',
    unconfirmed,
    refusal: pending === null ? refusal : null,
    place: (body) => void submit(newPendingBatch(body)),
    repeat() {
      if (unconfirmed !== null) void submit(unconfirmed);
    },
    giveUp() {
      if (unconfirmed !== null) forgetBatch(unconfirmed.idempotencyKey);
      setRefusal(null);
    },
  };
}
