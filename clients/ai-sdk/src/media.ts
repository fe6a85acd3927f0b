import type { ImageModelV4File, Experimental_VideoModelV4File as VideoModelV4File } from '@ai-sdk/provider';
import { convertUint8ArrayToBase64 } from '@ai-sdk/provider-utils';

/**
 * A reference as the service accepts it. The bytes are part of the order, so that a repeated order is the same order.
 */
export function referenceOf(file: ImageModelV4File | VideoModelV4File): string {
  if (file.type === 'url') return file.url;
  const data = typeof file.data === 'string' ? file.data : convertUint8ArrayToBase64(file.data);
  return `data:${file.mediaType};base64,${data}`;
}
