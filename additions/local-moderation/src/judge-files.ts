import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { sleep } from '@darkroom-service/contract';
import type { Kernel, TaskRecord } from '@darkroom-service/darkroom/kernel';
import { MediaFault, temporaryPath } from '@darkroom-service/media';
import { judgeFrames } from './judge-frames.ts';
import { SIDE } from './network.ts';
import { type JudgedFile, refusalOf, type Thresholds } from './refusal.ts';

interface JudgeOptions {
  /** Folder of the network. */
  readonly network: string;
  readonly thresholds: Thresholds;
  readonly files: Pick<Kernel['files'], 'media' | 'storage'>;
  readonly log: Kernel['log'];
  readonly temporaryDirectory: string;
}

/** A stored image or video of an order. */
interface OrderFile {
  readonly name: string;
  readonly key: string;
}

/** Frames of an animation or a video that are judged. Each needs about a second of processor time. */
const MOST_FRAMES = 6;
/** The pauses between attempts, before the order is refused because it cannot be judged. */
const PAUSES_MS = [500, 2_000];

/**
 * Creates the judge of files. It returns the reason for the customer if an order is refused, also because a file cannot
 * be judged; null if nothing was found.
 */
export function createJudge({ network, thresholds, files, log, temporaryDirectory }: JudgeOptions) {
  return async (
    order: Pick<TaskRecord, 'id' | 'api_key_id' | 'mode'>,
    given: readonly OrderFile[],
    signal: AbortSignal,
  ): Promise<string | null> => {
    const judged: JudgedFile[] = [];
    for (const file of given) {
      const frames = await framesOf(order, file, signal);
      if (frames === null) return `The moderation of the service cannot judge ${file.name}.`;
      judged.push({ name: file.name, frames });
    }
    return refusalOf(judged, thresholds);
  };

  /** Judges frames of a file; null if it cannot be decoded, or this machine failed three times. */
  async function framesOf(
    order: Pick<TaskRecord, 'id' | 'api_key_id' | 'mode'>,
    file: OrderFile,
    signal: AbortSignal,
  ): Promise<JudgedFile['frames'] | null> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await judge(order, file, signal);
      } catch (error) {
        signal.throwIfAborted();
        const pause = error instanceof MediaFault ? undefined : PAUSES_MS[attempt];
        if (pause === undefined) {
          log.warn({ err: error, task_id: order.id, file: file.name }, 'a file could not be judged');
          return null;
        }
        await sleep(pause, { signal });
      }
    }
  }

  async function judge(
    { api_key_id: owner, mode }: Pick<TaskRecord, 'api_key_id' | 'mode'>,
    { key }: OrderFile,
    signal: AbortSignal,
  ): Promise<JudgedFile['frames']> {
    const path = await temporaryPath(temporaryDirectory);
    try {
      await pipeline(await files.storage.open(key), createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal });
      const call = { owner, mode, patient: true, signal };
      const frames = await files.media.edit('sampleFrames', [path, SIDE, MOST_FRAMES], call);
      return await judgeFrames(network, frames, signal);
    } finally {
      await rm(path, { force: true });
    }
  }
}
