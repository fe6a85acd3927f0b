import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { world } from '@darkroom-service/contract';
import {
  type CallContext,
  type Checked,
  type Engine,
  EngineError,
  type Order,
  type PictureTools,
} from '@darkroom-service/engines';
import { hasCodecs, MediaFault, temporaryPath } from '@darkroom-service/media';
import { EnlargeFault, type EnlargeJob } from './enlarger/enlarge-job.ts';
import { runEnlarger } from './enlarger/run-enlarger.ts';
import { JOIN, LAST_FRAME, TOOLS_ENGINE } from './tool-entries.ts';

interface ToolsSettings {
  /** Folder of the enlarging network; null = this installation is without it. */
  readonly network: string | null;
  readonly pictures: PictureTools;
  /** Folder of files that are in work. */
  readonly temporaryDirectory: string;
}

/** The files of an order in work. */
interface Files {
  readonly inputs: readonly string[];
  /** The file to write. */
  readonly into: string;
}

/**
 * Creates the engine of the tools that work on this machine. The work is done in `check`, so if a process ends, the
 * next one does it again, and the order is charged once.
 */
export function createToolsEngine({ network, pictures, temporaryDirectory }: ToolsSettings): Engine {
  const inWork = new Map<string, AbortController>();

  return {
    name: TOOLS_ENGINE,
    // One at a time: an enlargement uses a whole core for minutes.
    concurrency: 1,
    isLocal: true,
    isFree: true,
    repeatable: true,
    idempotency: 'replays',
    start: async () => ({ operation: {}, checkAfterMs: 0 }),
    check,
    async cancel(_operation, { taskId }) {
      inWork.get(taskId)?.abort(new Error('canceled'));
      return true;
    },
    async probe() {
      const found = [network === null ? 'enlarges nothing: the network is not installed' : 'enlarges images'];
      if (!hasCodecs()) found.push('reads no frames: the codecs are not installed');
      return { ok: true, message: found.join('; ') };
    },
  };

  async function check(_operation: unknown, order: Order, context: CallContext): Promise<Checked> {
    // A cancellation that was requested of another process, or before this one began.
    if (context.cancelRequested === true) return { status: 'canceled' };
    const canceled = new AbortController();
    inWork.set(order.taskId, canceled);
    try {
      const signal = AbortSignal.any([context.signal, canceled.signal]);
      return await work(order, { ...context, signal });
    } catch (error) {
      if (canceled.signal.aborted) return { status: 'canceled' };
      if (!(error instanceof EnlargeFault || error instanceof MediaFault)) throw error;
      return {
        status: 'failed',
        error: { code: 'invalid_input', message: `${order.request.modelId}: ${error.message}` },
      };
    } finally {
      inWork.delete(order.taskId);
    }
  }

  /** Does an order in files, which are removed afterwards. */
  async function work(order: Order, context: CallContext): Promise<Checked> {
    const name = `${order.taskId}-${world.randomUUID()}`;
    const into = await temporaryPath(temporaryDirectory, `${name}.${order.request.output.format}`);
    const inputs: string[] = [];
    try {
      for (const [index, medium] of order.media.entries()) {
        const path = await temporaryPath(temporaryDirectory, `${name}.${index}.input`);
        inputs.push(path);
        const file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
        await pipeline(await medium.open(), file, { signal: context.signal });
      }
      const source = await make(order, { inputs, into }, context);
      const output = { source, seed: null, revisedPrompt: null, tiles: null };
      return { status: 'succeeded', delivery: { outputs: [output] } };
    } catch (error) {
      await rm(into, { force: true });
      throw error;
    } finally {
      for (const path of inputs) await rm(path, { force: true });
    }
  }

  async function make(order: Order, { inputs, into }: Files, { signal, onProgress }: CallContext) {
    const call = { owner: order.keyId ?? TOOLS_ENGINE, mode: order.mode, patient: true, signal };
    const format = order.request.output.format as EnlargeJob['format'];
    const [path = ''] = inputs;
    if (order.route.model === LAST_FRAME) return { data: await pictures.edit('lastFrame', [path, format], call) };
    if (order.route.model === JOIN) await pictures.edit('joinFilms', [inputs, into], call);
    else if (network === null)
      throw new EngineError('upstream', 'the enlarging network is not installed here', { took: 'no', elsewhere: true });
    else {
      const job = { path, into, network, format, factor: order.request.values.factor } as EnlargeJob;
      await runEnlarger(job, { signal, onProgress });
    }
    return { path: into };
  }
}
