import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { world } from '@darkroom-service/contract';
import { type CallContext, type Checked, type Engine, EngineError, type Order } from '@darkroom-service/engines';
import { temporaryPath } from '@darkroom-service/media';
import { EnlargeFault, type EnlargeJob } from './enlarger/enlarge-job.ts';
import { runEnlarger } from './enlarger/run-enlarger.ts';
import { TOOLS_ENGINE } from './tool-entries.ts';

interface EnlargerSettings {
  /** Folder of the network; null = this installation is without it. */
  readonly network: string | null;
  /** Folder of files that are in work. */
  readonly temporaryDirectory: string;
}

/**
 * Creates the engine of the tools that work on this machine. The work is done in `check`, so if a process ends, the
 * next one does it again, and the order is charged once.
 */
export function createEnlargerEngine({ network, temporaryDirectory }: EnlargerSettings): Engine {
  const inWork = new Map<string, AbortController>();

  return {
    name: TOOLS_ENGINE,
    // One at a time: each uses a whole core for minutes.
    concurrency: 1,
    isLocal: true,
    isFree: true,
    repeatable: true,
    idempotency: 'replays',
    isDormant: () => network === null,
    makes: (type) => type === 'image',
    start: async () => ({ operation: {}, checkAfterMs: 0 }),
    check,
    async cancel(_operation, { taskId }) {
      inWork.get(taskId)?.abort(new Error('canceled'));
      return true;
    },
    probe: async () => ({ ok: true, message: 'enlarges pictures on this machine' }),
  };

  async function check(_operation: unknown, order: Order, context: CallContext): Promise<Checked> {
    // A cancellation that was requested of another process, or before this one began.
    if (context.cancelRequested === true) return { status: 'canceled' };
    const canceled = new AbortController();
    inWork.set(order.taskId, canceled);
    try {
      const signal = AbortSignal.any([context.signal, canceled.signal]);
      return await enlarge(order, { ...context, signal });
    } catch (error) {
      if (canceled.signal.aborted) return { status: 'canceled' };
      if (!(error instanceof EnlargeFault)) throw error;
      return { status: 'failed', error: { code: 'invalid_input', message: `enlarge: ${error.message}` } };
    } finally {
      inWork.delete(order.taskId);
    }
  }

  async function enlarge(order: Order, { signal, onProgress }: CallContext): Promise<Checked> {
    const medium = order.media[0];
    if (network === null || medium === undefined)
      throw new EngineError('upstream', 'enlarge: this machine is without the network', {
        took: 'no',
        elsewhere: true,
      });
    const { format } = order.request.output;
    const name = `${order.taskId}-${world.randomUUID()}`;
    const path = await temporaryPath(temporaryDirectory, `${name}.input`);
    const into = await temporaryPath(temporaryDirectory, `${name}.${format}`);
    try {
      await pipeline(await medium.open(), createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal });
      const job = { path, into, network, format, factor: order.request.values.factor } as EnlargeJob;
      await runEnlarger(job, { signal, onProgress });
      const output = { source: { path: into }, seed: null, revisedPrompt: null, tiles: null };
      return { status: 'succeeded', delivery: { outputs: [output] } };
    } catch (error) {
      await rm(into, { force: true });
      throw error;
    } finally {
      await rm(path, { force: true });
    }
  }
}
