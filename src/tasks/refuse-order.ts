import { errorFromFaults, type Fault, type ServiceError } from '../base/errors.ts';
import type { Model } from '../catalog/model.ts';
import type { Resolution } from '../catalog/resolve-request.ts';
import type { Desk } from './desk.ts';
import { faultsOfMedia } from './order-media.ts';

/** The refusal of a body that its model or the service's own fields do not take: every fault at once, those of its media too. */
export async function refusalOf(
  desk: Desk,
  keyId: string,
  model: Model,
  resolution: Resolution,
  faults: readonly Fault[],
): Promise<ServiceError> {
  const own = resolution.ok ? [] : resolution.faults;
  const media = resolution.ok ? resolution.request.media.filter(({ source }) => source !== '') : resolution.media;
  return errorFromFaults([...own, ...faults, ...(await faultsOfMedia(desk, keyId, model, media))]);
}
