import { isJsonObject, type JsonObject, type JsonValue } from '@darkroom-service/contract';
import { describeValue } from '@darkroom-service/darkroom/kernel-orders';
import { checkMimeType, checkModalities, checkTools } from './modalities.ts';
import { ownFields, readFormats, readImageConfig } from './read-content.ts';
import { type Medium, readMedium } from './read-media.ts';
import { field, invalid, listOf, objectIn, restOf, unsupported } from './read-values.ts';
import type { SentOrder } from './sent-order.ts';
import { lastOrder, type Turn } from './turns.ts';

const READ = [
  'model',
  'input',
  'background',
  'stream',
  'tools',
  'previousInteractionId',
  'responseModalities',
  'responseFormat',
  'responseMimeType',
  'generationConfig',
];
const MEDIA = ['image', 'video', 'audio'];
const TOOL_STEP = /_call$|_result$/;

/** An interaction as a client creates it. */
export interface SentInteraction {
  readonly model: string;
  readonly order: SentOrder;
  readonly isInBackground: boolean;
  readonly isStreamed: boolean;
}

/**
 * Reads the body of a new interaction.
 * @param previous returns the source of what an earlier interaction made
 * @throws ServiceError
 */
export async function readInteraction(
  body: JsonObject,
  previous: (id: string) => Promise<Medium>,
): Promise<SentInteraction> {
  checkTools(body.tools ?? null);
  const model = body.model ?? null;
  if (typeof model !== 'string' || model === '')
    throw body.agent === undefined
      ? invalid('model', `expected the name of a model, such as "sketch", found ${describeValue(model)}`)
      : unsupported('agent', 'this service makes images and films, and has no agents. Send a model.');
  const config = objectIn(body, 'generationConfig');
  const modalities = field(body, 'responseModalities') ?? field(config, 'responseModalities');
  checkModalities(modalities, 'response_modalities');
  checkMimeType(field(body, 'responseMimeType'), 'response_mime_type');
  const format = readFormats(field(body, 'responseFormat'), 'response_format');
  const { prompt, media } = lastOrder(turnsOf(body.input ?? null), 'input');
  const earlier = field(body, 'previousInteractionId');
  return {
    model,
    isInBackground: body.background === true,
    isStreamed: body.stream === true,
    order: {
      prompt,
      media: media.length === 0 && typeof earlier === 'string' ? [await previous(earlier)] : media,
      fields: {
        ...restOf(config, ['imageConfig', 'videoConfig', 'responseModalities']),
        ...restOf(body, READ),
        ...ownFields(body),
        ...readImageConfig(objectIn(config, 'imageConfig')),
        ...format.fields,
      },
      count: 1,
      wantsUrls: format.wantsUrls,
    },
  };
}

/** Reads turns: a text, pieces of one turn, or steps and turns with their own content. */
function turnsOf(input: JsonValue): Turn[] {
  const items = listOf(input);
  const isTurn = (item: JsonValue) => isJsonObject(item) && ('content' in item || 'role' in item);
  if (!items.some(isTurn)) return [{ isUser: true, ...readPieces(items, 'input') }];
  return items.filter(isTurn).map((item, index) => {
    const { type = '', role = '', content = null } = item as JsonObject;
    const isUser = type !== 'model_output' && type !== 'thought' && role !== 'model';
    return { isUser, ...readPieces(listOf(content), `input[${index}].content`) };
  });
}

function readPieces(pieces: readonly JsonValue[], param: string): Pick<Turn, 'texts' | 'media'> {
  const texts: string[] = [];
  const media: Medium[] = [];
  for (const [index, piece] of pieces.entries()) {
    const at = `${param}[${index}]`;
    if (typeof piece === 'string') texts.push(piece);
    if (!isJsonObject(piece)) continue;
    const type = String(piece.type ?? 'text');
    if (TOOL_STEP.test(type)) checkTools(piece, at);
    if (MEDIA.includes(type)) media.push(readMedium(piece, at, type as Medium['kind']));
    else if (type === 'text' && typeof piece.text === 'string') texts.push(piece.text);
    else if (type === 'document') throw unsupported(at, 'this service reads no documents. Send text and images.');
  }
  return { texts: texts.filter((text) => text !== ''), media };
}
