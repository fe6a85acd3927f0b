import { LABELS } from '@darkroom-service/addition-openai/mapping/map-fields';
import { isJsonObject, type JsonObject, type JsonValue } from '@darkroom-service/contract';
import { describeValue } from '@darkroom-service/darkroom/kernel-orders';
import { checkMimeType, checkModalities, checkTools } from './modalities.ts';
import { readMedium } from './read-media.ts';
import { countIn, field, invalid, listOf, objectIn, present, restOf, snakeCase } from './read-values.ts';
import type { SentOrder } from './sent-order.ts';
import { lastOrder, type Turn } from './turns.ts';

const MOST_CANDIDATES = 8;
const CONFIG = 'generationConfig';
const READ = ['contents', 'model', CONFIG, 'tools'];
const READ_OF_CONFIG = [
  'candidateCount',
  'imageConfig',
  'responseFormat',
  'responseModalities',
  'responseMimeType',
  'responseSchema',
  'responseJsonSchema',
];
/** Sizes of pictures that have another name here. */
const RESOLUTIONS: Readonly<Record<string, string>> = { '512': '0.5K' };
const TOOL_PARTS = ['functionCall', 'functionResponse', 'executableCode', 'codeExecutionResult'];

/** Reads the body of `generateContent`. @throws ServiceError */
export function readContent(body: JsonObject): SentOrder {
  checkTools(body.tools ?? null);
  const config = objectIn(body, CONFIG);
  checkModalities(field(config, 'responseModalities'), `${CONFIG}.responseModalities`);
  checkMimeType(field(config, 'responseMimeType'), `${CONFIG}.responseMimeType`);
  const turns = turnsOf(body.contents ?? null);
  const format = readFormats(field(config, 'responseFormat'), `${CONFIG}.responseFormat`);
  return {
    ...lastOrder(turns, 'contents'),
    fields: {
      ...restOf(config, READ_OF_CONFIG),
      ...restOf(body, READ),
      ...ownFields(body),
      ...readImageConfig(objectIn(config, 'imageConfig')),
      ...format.fields,
    },
    count: countIn(config, 'candidateCount', MOST_CANDIDATES),
    wantsUrls: format.wantsUrls,
  };
}

/** Returns the fields of the service itself, which have the same names in every dialect. */
export function ownFields(body: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([name]) => LABELS.includes(name)));
}

/** Reads `imageConfig`, in camel or in snake case. */
export function readImageConfig(config: JsonObject): JsonObject {
  const size = field(config, 'imageSize');
  const output = objectIn(config, 'imageOutputOptions');
  return {
    ...restOf(config, ['aspectRatio', 'imageSize', 'imageOutputOptions', 'outputMimeType', 'outputCompressionQuality']),
    ...present({
      aspect_ratio: field(config, 'aspectRatio'),
      resolution: typeof size === 'string' ? (RESOLUTIONS[size] ?? size) : size,
      output_format: formatOf(field(output, 'mimeType') ?? field(config, 'outputMimeType')),
      output_compression: field(output, 'compressionQuality') ?? field(config, 'outputCompressionQuality'),
    }),
  };
}

/** Returns the format of a media type: `jpeg` of `image/jpeg`. */
export function formatOf(type: JsonValue): JsonValue {
  return typeof type === 'string' ? type.replace(/^\w+\//, '') : null;
}

/**
 * Reads formats of the answer: objects whose `type` is `image` or `video`, or that have such a member.
 * @throws ServiceError if there are only formats of text or speech
 */
export function readFormats(
  value: JsonValue,
  param: string,
): { readonly fields: JsonObject; readonly wantsUrls: boolean; readonly type: string | null } {
  const formats = listOf(value).map((one) => formatIn(one, param));
  const media = formats.find(({ type }) => type === 'image' || type === 'video');
  if (media === undefined) {
    checkModalities(
      formats.map(({ type = 'text' }) => String(type)),
      param,
    );
    return { fields: {}, wantsUrls: false, type: null };
  }
  const duration = field(media, 'duration');
  const seconds = typeof duration === 'string' ? Number(duration.replace(/s$/, '')) : duration;
  return {
    fields: {
      ...readImageConfig(restOf(media, ['type', 'delivery', 'duration', 'mimeType', 'gcsUri'])),
      ...present({ duration: seconds, output_format: formatOf(field(media, 'mimeType')) }),
    },
    wantsUrls: media.delivery === 'uri',
    type: String(media.type),
  };
}

/** Returns a format whose `type` is in the object, or is the name of its only member. */
function formatIn(value: JsonValue, param: string): JsonObject {
  if (!isJsonObject(value)) throw invalid(param, `expected an object, found ${describeValue(value)}`);
  const [member] = Object.entries(value);
  const [name = '', inner = null] = member ?? [];
  return value.type === undefined && isJsonObject(inner) ? { type: name, ...inner } : value;
}

/** Reads turns. Texts, parts and contents may stand alone or in lists. */
function turnsOf(contents: JsonValue): Turn[] {
  return listOf(contents).map((content, index) => {
    const param = `contents[${index}]`;
    if (typeof content === 'string') return { isUser: true, texts: [content], media: [] };
    if (!isJsonObject(content)) throw invalid(param, `expected an object with parts, found ${describeValue(content)}`);
    const parts = 'parts' in content ? listOf(content.parts ?? null) : [content];
    return { isUser: content.role !== 'model', ...readParts(parts, param) };
  });
}

function readParts(parts: readonly JsonValue[], param: string): Pick<Turn, 'texts' | 'media'> {
  const texts: string[] = [];
  const media: Turn['media'][number][] = [];
  for (const [index, part] of parts.entries()) {
    const at = `${param}.parts[${index}]`;
    if (typeof part === 'string') texts.push(part);
    if (!isJsonObject(part)) continue;
    for (const name of TOOL_PARTS) checkTools(field(part, name), `${at}.${name}`);
    if (typeof part.text === 'string' && part.text !== '' && part.thought !== true) texts.push(part.text);
    for (const name of ['inlineData', 'fileData']) {
      const file = field(part, name);
      if (file !== null) media.push(readMedium(file, `${at}.${name in part ? name : snakeCase(name)}`));
    }
  }
  return { texts, media };
}
