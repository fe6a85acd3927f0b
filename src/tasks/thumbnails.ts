import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { EXAMINED_WITHIN_MS, ServiceError, sleep } from '@darkroom-service/contract';
import { MediaFault, temporaryPath, withLength } from '@darkroom-service/media';
import { createTurns } from '../base/turns.ts';
import { prepare } from '../database/prepared.ts';
import { type StoredOutput, type TaskRow, THUMBNAIL, taskOfFileKey, thumbnailKeyOf } from '../record/task.ts';
import { engineOf, outputsOf } from '../record/task-json.ts';
import { reportToOperator } from './report-to-operator.ts';
import type { TaskServices, Thumbnails } from './task-services.ts';

type Services = Pick<TaskServices, 'clock' | 'createId' | 'database' | 'log' | 'media' | 'settings' | 'storage'>;
type PictureRow = Pick<TaskRow, 'id' | 'api_key_id' | 'erased_at' | 'outputs_json' | 'route_json'>;

const selectPicture = prepare<{ id: string }, PictureRow>('task_of_thumbnail', (builder, argument) =>
  builder
    .selectFrom('tasks')
    .select(['id', 'api_key_id', 'erased_at', 'outputs_json', 'route_json'])
    .where('id', '=', argument('id'))
    .where('step', '=', 'final'),
);

const selectReport = prepare<{ id: string }, { id: string }>('broken_output_of_task', (builder, argument) =>
  builder
    .selectFrom('reconciliation')
    .select('id')
    .where('task_id', '=', argument('id'))
    .where('kind', '=', 'broken_output')
    .limit(1),
);

const AT_ONCE_PER_KEY = 2;
const RETRY_AFTER_SECONDS = 10;

export function createThumbnails(services: Services): Thumbnails {
  const { database, media, storage, settings } = services;
  const making = new Map<string, Promise<{ readonly bytes: number } | null>>();
  const turns = createTurns(AT_ONCE_PER_KEY);

  /** @throws MediaFault if it cannot be made */
  async function make(key: string): Promise<{ readonly bytes: number } | null> {
    const running = making.get(key) ?? draw(key).finally(() => making.delete(key));
    making.set(key, running);
    return await running;
  }

  async function draw(key: string): Promise<{ readonly bytes: number } | null> {
    const id = key.endsWith(THUMBNAIL) ? taskOfFileKey(key) : null;
    if (id === null) return null;
    const task = await database.read.first(selectPicture, { id });
    if (task === undefined || task.erased_at !== null) return null;
    const output = outputsOf(task).find((one) => thumbnailKeyOf(one) === key && one.thumbnailKey === null);
    if (output === undefined) return null;
    if ((await database.read.first(selectReport, { id })) !== undefined)
      throw new MediaFault('corrupt', 'the picture does not decode');
    const endTurn = await turns.take(task.api_key_id);
    try {
      const picture = await drawSmall(output, task.api_key_id);
      await storage.put(key, picture, { contentType: 'image/webp', maxBytes: picture.byteLength });
      // An erasure that listed the files of the task before does not know this one.
      if ((await database.read.first(selectPicture, { id }))?.erased_at !== null) await storage.remove(key);
      return { bytes: picture.byteLength };
    } catch (error) {
      if (error instanceof MediaFault && error.kind === 'corrupt') await report(task, output, error);
      throw error;
    } finally {
      endTurn();
    }
  }

  async function drawSmall({ key, bytes }: StoredOutput, owner: string): Promise<Uint8Array> {
    const path = await temporaryPath(settings.temporaryDirectory);
    try {
      await pipeline(withLength(await storage.open(key), key, bytes), createWriteStream(path));
      return await media.thumbnail(path, { owner });
    } finally {
      await rm(path, { force: true });
    }
  }

  async function report(task: PictureRow, output: StoredOutput, fault: MediaFault): Promise<void> {
    const { id: taskId } = task;
    const detail = {
      engine: engineOf(task),
      message: `The result was delivered and charged, but ${fault.message}. It stays as it is.`,
      output: outputsOf(task).findIndex(({ key }) => key === output.key),
    };
    await database.write('broken_output', async (trx) => {
      await trx.lock(`broken_output:${taskId}`);
      if ((await trx.first(selectReport, { id: taskId })) !== undefined) return;
      await reportToOperator(services, trx, { taskId, kind: 'broken_output', detail });
      trx.afterCommit(() => services.log.error({ task_id: taskId, ...detail }, 'delivered picture does not decode'));
    });
  }

  return {
    async make(key) {
      const patience = new AbortController();
      const late = sleep(EXAMINED_WITHIN_MS, { signal: patience.signal, ref: false }).then(() => {
        const message = 'The thumbnail is still being made. Retry later.';
        throw new ServiceError('service_unavailable', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
      });
      try {
        return await Promise.race([make(key), late]);
      } catch (error) {
        if (!(error instanceof MediaFault)) throw error;
        const why = error.kind === 'corrupt' ? 'does not decode' : 'is too costly to decode';
        throw new ServiceError('not_found', `There is no thumbnail, because the picture ${why}.`, { cause: error });
      } finally {
        patience.abort();
      }
    },
    async prove(output) {
      const key = thumbnailKeyOf(output);
      if (key === null || output.thumbnailKey !== null || (await storage.stat(key)) !== null) return true;
      try {
        await make(key);
        return true;
      } catch (error) {
        if (!(error instanceof MediaFault)) throw error;
        return error.kind !== 'corrupt';
      }
    },
  };
}
