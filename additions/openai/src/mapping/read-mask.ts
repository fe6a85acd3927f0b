import { ServiceError } from '@darkroom-service/contract';
import type { TaskServices } from '@darkroom-service/darkroom/kernel';
import { parseDataUri } from '@darkroom-service/darkroom/kernel-http';
import { storageFault } from '@darkroom-service/darkroom/kernel-orders';
import { type MediaCall, MediaFault } from '@darkroom-service/media';
import { dataUriOf, type SentMedium } from './sent-media.ts';

/**
 * Converts a mask in OpenAI's form, transparent where the image changes, to one of our own, white there. The converted
 * mask is part of the request, because it is converted before the order is placed.
 * @returns a data URI; null = none was sent
 * @throws ServiceError for several, and for one that cannot be read
 */
export async function readMask(
  { media, settings }: Pick<TaskServices, 'media' | 'settings'>,
  call: MediaCall,
  [mask, ...others]: readonly SentMedium[],
): Promise<string | null> {
  if (mask === undefined) return null;
  if (others.length > 0) {
    const message = 'mask: expected one mask, found several. Send one whose transparent part covers all changes.';
    throw new ServiceError('invalid_request', message, { param: 'mask' });
  }
  const parsed = parseDataUri(mask.source, { maxBytes: settings.maxDataUriBytes });
  if (!parsed.ok) {
    const message = `mask: ${parsed.message}. Send a mask as data: URL, or as a file of a multipart form.`;
    throw new ServiceError('invalid_reference', message, { param: 'mask' });
  }
  try {
    return dataUriOf(await media.edit('maskOfAlpha', [parsed.data], call));
  } catch (error) {
    if (!(error instanceof MediaFault)) throw storageFault(error);
    throw new ServiceError('invalid_reference', `mask: ${error.message}.`, { param: 'mask', cause: error });
  }
}
