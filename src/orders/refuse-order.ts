import type { Owner } from '../accounts/client-scope.ts';
import { type ErrorCode, errorFromFaults, type Fault, ServiceError } from '../base/errors.ts';
import type { Model } from '../catalog/model.ts';
import type { Resolution } from '../catalog/resolve-request.ts';
import type { Waits } from '../tasks/earlier-orders.ts';
import type { TaskServices } from '../tasks/task-services.ts';
import { faultsOfMedia } from './order-media.ts';

/** Errors about the model or the parent task, on which the check of all other fields depends. */
const OF_THE_SUBJECT: ReadonlySet<ErrorCode> = new Set(['invalid_request', 'model_not_found', 'task_not_found']);

/**
 * Finds what an order is about. Where there is no such thing, the faults of the fields that can be judged without it
 * are told as well.
 * @param find throws a ServiceError where there is none
 */
export async function findSubject<T>(find: () => T | Promise<T>, faults: readonly Fault[]): Promise<T> {
  try {
    return await find();
  } catch (error) {
    if (!(error instanceof ServiceError) || !OF_THE_SUBJECT.has(error.code) || error.details.length > 0) throw error;
    const { param, code, message, suggestion } = error;
    throw errorFromFaults([{ param, code, message, ...(suggestion === null ? {} : { suggestion }) }, ...faults]);
  }
}

/**
 * The refusal of a body that its model or the service's own fields do not take: every fault at once, those of its media
 * too.
 */
export async function refusalOf(
  services: TaskServices,
  owner: Owner,
  model: Model,
  resolution: Resolution,
  faults: readonly Fault[],
  waits: Waits,
): Promise<ServiceError> {
  const own = resolution.ok ? [] : resolution.faults;
  const media = resolution.ok ? resolution.request.media.filter(({ source }) => source !== '') : resolution.media;
  return errorFromFaults([...own, ...faults, ...(await faultsOfMedia(services, owner, model, media, waits))]);
}
