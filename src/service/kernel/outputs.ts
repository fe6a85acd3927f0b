import type { Readable } from 'node:stream';
import type { ServiceError } from '@darkroom-service/contract';
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
}

/** Opens the outputs for additions. */
export function openOutputs({ storage, thumbnails }: Pick<TaskServices, 'storage' | 'thumbnails'>): Outputs {
  return {
    require: requireOutput,
    expired,
    async thumbnail(key) {
      if ((await storage.stat(key)) === null && (await thumbnails.make(key)) === null) return null;
      return await storage.open(key);
    },
  };
}
