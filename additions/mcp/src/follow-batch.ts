import { type BatchView, isId, sleep, world } from '@darkroom-service/contract';
import { callForData } from './call-api.ts';
import type { ToolContext } from './tool-context.ts';

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 3_000;

export function isBatchId(id: string): boolean {
  return isId(id, 'bat');
}

export function pathOfBatch(batchId: string): string {
  return `/v1/batches/${batchId}`;
}

/** Reads the current state of a batch. @throws Refusal */
export async function readBatch({ call }: ToolContext, batchId: string): Promise<BatchView> {
  return await callForData<BatchView>(call, { method: 'GET', path: pathOfBatch(batchId) });
}

/** Waits until all orders of a batch are final or the seconds are over, and returns its state then. @throws Refusal */
export async function waitForBatch(
  { call }: ToolContext,
  batchId: string,
  seconds: number,
  signal: AbortSignal,
): Promise<BatchView> {
  const end = world.now() + seconds * 1000;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS)) {
    const batch = await callForData<BatchView>(call, { method: 'GET', path: pathOfBatch(batchId), signal });
    const left = end - world.now();
    if (batch.status !== 'processing' || left <= 0) return batch;
    await sleep(Math.min(pauseMs, left), { signal });
  }
}
