import type { Readable } from 'node:stream';
import type { ServiceError } from '@darkroom-service/contract';
import { cachedBytes, dropCachedBytes } from '../../record/cached-bytes.ts';
import type { StoredOutput } from '../../record/task.ts';
import type { TaskServices } from '../../tasks/task-services.ts';
import { expired, requireOutput } from '../../views/task-content.ts';

/** Output files of orders. */
export interface Outputs {
  /**
   * Returns the output of a task that is not erased.
   * @param param the field that names the task
   * @throws ServiceError `not_final`, `not_found` (it ended without an output)
   * @example const { width } = kernel.outputs.require(row, 'task_id');
   */
  require(row: Parameters<typeof requireOutput>[0], param: string): StoredOutput;
  /**
   * Returns the error for a task whose files were erased.
   * @param param the field that names the task
   * @example throw kernel.outputs.expired('task_id');
   */
  expired(param: string): ServiceError;
  /**
   * Opens the thumbnail of a picture, and makes it first if that has not been done. Null = the picture was erased.
   * @param key key of the thumbnail in the storage
   * @throws ServiceError `not_found` if the picture does not decode, `service_unavailable`; StorageError
   * @example const bytes = await kernel.outputs.thumbnail('tasks/none-thumbnail.webp');
   */
  thumbnail(key: string): Promise<Readable | null>;
  /**
   * Returns the bytes of an output that this process has just stored; null if they are not in memory. A reader that
   * pauses asks again, for another one may free them.
   * @example const bytes = kernel.outputs.cached(kernel.outputs.require(row, 'task_id'));
   */
  cached(output: StoredOutput): Uint8Array | null;
  /**
   * Frees the bytes of an output in memory, once a caller has them. Others read it from the storage.
   * @example kernel.outputs.free(kernel.outputs.require(row, 'task_id'));
   */
  free(output: StoredOutput): void;
}

/** Opens the outputs for additions. */
export function openOutputs({ storage, thumbnails }: Pick<TaskServices, 'storage' | 'thumbnails'>): Outputs {
  return {
    require: requireOutput,
    expired,
    cached: cachedBytes,
    free: dropCachedBytes,
    async thumbnail(key) {
      if ((await storage.stat(key)) === null && (await thumbnails.make(key)) === null) return null;
      return await storage.open(key);
    },
  };
}
