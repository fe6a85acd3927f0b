import { isJsonObject, type JsonObject, type JsonValue } from '@darkroom-service/contract';
import { describeValue } from '@darkroom-service/darkroom/kernel-orders';
import { formatOf, ownFields } from './read-content.ts';
import { type Medium, readMedium } from './read-media.ts';
import { countIn, field, invalid, listOf, objectIn, present, restOf } from './read-values.ts';
import type { SentOrder } from './sent-order.ts';

const MOST_SAMPLES = 8;
const READ = ['instances', 'parameters', 'model'];
const READ_OF_INSTANCE = ['prompt', 'image', 'lastFrame', 'video', 'referenceImages', 'mask'];
const READ_OF_PARAMETERS = [
  'sampleCount',
  'sampleImageSize',
  'outputOptions',
  'outputMimeType',
  'compressionQuality',
  'durationSeconds',
];

/**
 * Reads the body of `predict` and `predictLongRunning`, whose single instance may stand in a list.
 * @throws ServiceError
 */
export function readPrediction(body: JsonObject): SentOrder {
  const [instance = null, ...others] = listOf(body.instances ?? null);
  if (!isJsonObject(instance) || others.length > 0)
    throw invalid(
      'instances',
      others.length > 0
        ? `expected one instance, found ${others.length + 1}. Send a request for each`
        : `expected an object with a prompt, found ${describeValue(instance)}`,
    );
  const parameters = objectIn(body, 'parameters');
  const output = objectIn(parameters, 'outputOptions');
  const { media, masks } = readReferences(instance);
  return {
    prompt: typeof instance.prompt === 'string' ? instance.prompt : null,
    media,
    fields: {
      ...restOf(parameters, READ_OF_PARAMETERS),
      ...restOf(instance, READ_OF_INSTANCE),
      ...restOf(body, READ),
      ...ownFields(body),
      ...present({
        resolution: field(parameters, 'sampleImageSize') ?? field(parameters, 'resolution'),
        output_format: formatOf(field(output, 'mimeType') ?? field(parameters, 'outputMimeType')),
        output_compression: field(output, 'compressionQuality') ?? field(parameters, 'compressionQuality'),
        duration: field(parameters, 'durationSeconds'),
        mask_url: masks[0]?.source,
        last_frame_url: sourceIn(instance, 'lastFrame'),
      }),
    },
    count: countIn(parameters, 'sampleCount', MOST_SAMPLES),
  };
}

/** Reads the files of an instance. Of reference images, those whose type says so are masks. */
function readReferences(instance: JsonObject): { readonly media: Medium[]; readonly masks: Medium[] } {
  const media: Medium[] = [];
  const masks: Medium[] = [];
  for (const [name, kind] of [
    ['image', 'image'],
    ['video', 'video'],
  ] as const) {
    const value = field(instance, name);
    if (value !== null) media.push(readMedium(value, `instances[0].${name}`, kind));
  }
  for (const [index, reference] of listOf(field(instance, 'referenceImages')).entries()) {
    const param = `instances[0].referenceImages[${index}]`;
    if (!isJsonObject(reference))
      throw invalid(param, `expected an object with an image, found ${describeValue(reference)}`);
    const image = readMedium(field(reference, 'referenceImage') ?? field(reference, 'image'), param);
    (field(reference, 'referenceType') === 'REFERENCE_TYPE_MASK' ? masks : media).push(image);
  }
  const mask = field(instance, 'mask');
  if (mask !== null) masks.push(readMask(mask));
  if (masks.length > 1) throw invalid('instances[0].referenceImages', `expected one mask, found ${masks.length}`);
  return { media, masks };
}

function readMask(mask: JsonValue): Medium {
  return readMedium(
    isJsonObject(mask) && isJsonObject(mask.image ?? null) ? (mask.image ?? null) : mask,
    'instances[0].mask',
  );
}

function sourceIn(instance: JsonObject, name: string): string | null {
  const value = field(instance, name);
  return value === null ? null : readMedium(value, `instances[0].${name}`).source;
}
