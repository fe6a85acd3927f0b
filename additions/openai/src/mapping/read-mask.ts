import { ServiceError } from '@darkroom-service/contract';
import type { Kernel } from '@darkroom-service/darkroom/kernel';
import { parseDataUri } from '@darkroom-service/darkroom/kernel-http';
import { type MediaCall, MediaFault } from '@darkroom-service/media';
import { dataUriOf, type SentMedium } from './sent-media.ts';

/**
 * Converts a mask in OpenAI's form, transparent where the image changes, to one of our own, white there. The converted
 * mask is part of the request, because it is converted before the order is placed.
 * @returns a data URI; null = none was sent
 * @throws ServiceError for several, and for one that cannot be read
 */
export async function readMask(
  { files, settings }: Pick<Kernel, 'files' | 'settings'>,
  call: MediaCall,
  [mask, ...others]: readonly SentMedium[],
): Promise<string | null> {
  if (mask === undefined) return null;
  if (others.length > 0) {
    const message = 'mask: expected one mask, found several. Send one whose transparent part covers all changes.';
    throw new ServiceError('invalid_request', message, { param: 'mask' });
  }
  const parsed = parseDataUri(mask.source, { maxBytes: settings.maxBytes.dataUri });
  if (!parsed.ok) {
    const message = `mask: ${parsed.message}. Send a mask as data: URL, or as a file of a multipart form.`;
    throw new ServiceError('invalid_reference', message, { param: 'mask' });
  }
  try {
    return dataUriOf(await files.media.edit('maskOfAlpha', [parsed.data], call));
  } catch (error) {
    if (!(error instanceof MediaFault)) throw files.faultOf(error);
    throw new ServiceError('invalid_reference', `mask: ${error.message}.`, { param: 'mask', cause: error });
  }
}
