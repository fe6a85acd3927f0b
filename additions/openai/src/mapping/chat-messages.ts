import { isJsonObject, type JsonObject, type JsonValue, ServiceError } from '@darkroom-service/contract';
import { describeValue } from '@darkroom-service/darkroom/kernel-orders';
import { MediaSearch } from '@darkroom-service/media';
import type { SentMedium } from './sent-media.ts';

/** Content of a conversation that counts for an image: its last turn, and what was shown before. */
export interface ChatTurn {
  /** The last text of the user; null if the turn has none. */
  readonly prompt: string | null;
  /** All pictures of the turn. */
  readonly pictures: readonly SentMedium[];
  /** Last picture of the assistant before the turn; null if it has shown none. */
  readonly shown: SentMedium | null;
}

/** Name of a picture in messages, which no model has as a field. */
const PICTURE = 'image_url';
const TEXT_PARTS = ['text', 'input_text'];
const PICTURE_PARTS = ['image_url', 'input_image'];
const LAST_TURN = 'The last turn must be one of the user: its text is the prompt, and its pictures are the references';

/**
 * Reads the last turn of a conversation: the user's messages after the last one of the assistant. Earlier texts and
 * messages of the system do not count.
 * @throws ServiceError for messages without such a turn, and for parts other than texts and pictures in it
 */
export function readTurn(messages: JsonValue | undefined): ChatTurn {
  if (!Array.isArray(messages) || messages.length === 0) throw invalid('expected a list of messages', messages);
  const all = messages.map((message) => {
    if (isJsonObject(message)) return message;
    throw invalid('expected objects with role and content', message);
  });
  const answered = all.findLastIndex(({ role }) => role === 'assistant');
  const turn = all.slice(answered + 1).filter(({ role }) => role === 'user');
  if (turn.length === 0) throw new ServiceError('invalid_request', `messages: ${LAST_TURN}.`, { param: 'messages' });
  const search = new MediaSearch();
  const parts = turn.map(({ content }) => readParts(search, content ?? null));
  return {
    prompt: parts.findLast(({ text }) => text !== null)?.text ?? null,
    pictures: parts.flatMap(({ pictures }) => pictures),
    shown: all
      .slice(0, answered + 1)
      .reduceRight((found: SentMedium | null, one) => found ?? shownBy(search, one), null),
  };
}

interface MessageParts {
  readonly text: string | null;
  readonly pictures: readonly SentMedium[];
}

function readParts(search: MediaSearch, content: JsonValue): MessageParts {
  if (typeof content === 'string') return { text: content.trim() === '' ? null : content, pictures: [] };
  if (!Array.isArray(content)) throw invalid('expected a text or a list of parts as content', content);
  const texts: string[] = [];
  const pictures: SentMedium[] = [];
  for (const part of content) {
    const { type, text } = isJsonObject(part) ? part : {};
    if (TEXT_PARTS.includes(String(type)) && typeof text === 'string') texts.push(text);
    else if (isJsonObject(part) && PICTURE_PARTS.includes(String(type))) pictures.push(...picturesOf(search, part));
    else throw otherPart(type);
  }
  const text = texts.join('\n');
  return { text: text.trim() === '' ? null : text, pictures };
}

function picturesOf(search: MediaSearch, part: JsonObject): SentMedium[] {
  const sources = search.sourcesOf(PICTURE, part[PICTURE] ?? null) ?? [];
  if (sources.length === 0) throw invalid('expected a URL or a data: URL in image_url.url', part[PICTURE]);
  return sources.map((source) => ({ name: PICTURE, source }));
}

/** Returns the last picture of a message of the assistant; null if it has none. */
function shownBy(search: MediaSearch, { role, images, content }: JsonObject): SentMedium | null {
  if (role !== 'assistant') return null;
  const parts = Array.isArray(content) ? content.filter(isJsonObject) : [];
  const shown = [
    ...parts.filter(({ type }) => PICTURE_PARTS.includes(String(type))).map((part) => part[PICTURE] ?? null),
    images ?? null,
  ];
  const source = shown.flatMap((value) => (value === null ? [] : (search.sourcesOf(PICTURE, value) ?? []))).at(-1);
  return source === undefined ? null : { name: PICTURE, source };
}

function otherPart(type: JsonValue | undefined): ServiceError {
  const message = `messages: a part of the type ${describeValue(type ?? null)} is not supported. Send text and image_url.`;
  return new ServiceError('unsupported_value', message, { param: 'messages' });
}

function invalid(expected: string, value: JsonValue | undefined): ServiceError {
  const message = `messages: ${expected}, found ${describeValue(value ?? null)}.`;
  return new ServiceError('invalid_request', message, { param: 'messages' });
}
