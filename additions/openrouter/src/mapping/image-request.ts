import { readTier, readWantedRatio } from '@darkroom-service/addition-openai/mapping/chat-call';
import { readImageCall } from '@darkroom-service/addition-openai/mapping/image-call';
import { edgeOf } from '@darkroom-service/addition-openai/mapping/map-shape';
import type { CallSources, RequestedCall } from '@darkroom-service/addition-openai/mapping/requested-call';
import type { SentMedia } from '@darkroom-service/addition-openai/mapping/sent-media';
import type { JsonObject } from '@darkroom-service/contract';

/** Fields of the shape, which are mapped to those of the model. */
const OF_SHAPE = ['aspect_ratio', 'resolution'];

/**
 * Reads the body of `POST images`. A `size` such as `2K` is a resolution. The shape is the nearest one that the model
 * has.
 * @throws ServiceError
 */
export function readImageRequest(
  { references, rest }: Pick<SentMedia, 'references' | 'rest'>,
  sources: Omit<CallSources, 'isForm' | 'shape'> & { readonly mask: string | null },
): RequestedCall {
  const { size = null, aspect_ratio: ratio = null, resolution = null } = rest;
  const tier = typeof size === 'string' && edgeOf(size) !== null ? size : null;
  const others: JsonObject = Object.fromEntries(Object.entries(rest).filter(([name]) => !OF_SHAPE.includes(name)));
  const call = readImageCall(
    { references, rest: { ...others, ...(tier === null ? {} : { size: null }) } },
    {
      ...sources,
      isForm: false,
      shape: { ratio: readWantedRatio(ratio), tier: tier ?? readTier('resolution', resolution) },
    },
  );
  return { ...call, view: { ...call.view, format: 'b64_json' } };
}
