import { recognize } from './decoding/recognize.ts';

/** Result of a search; `unclear` = the value is too deep or too long to be searched. */
export type Carried = 'media' | 'nothing' | 'unclear';

const DEEPEST = 64;
const MOST_VALUES = 10_000;
const LONGEST_ADDRESS = 8_192;
const LONGEST_JSON_TEXT = 262_144;

const MEDIA_NAME = /image|img|picture|photo|frame|mask|video|film|clip|audio|sound|voice|music/i;
const FREE_TEXT_NAME = /(?:^|_)(?:prompts?|texts?|captions?|instructions?|descriptions?|lyrics|title|comment)$/i;
/** Name of a string that always names a file, whatever it looks like. */
const FILE_ID = 'file_id';
const FILE_NAME = /^(?:file_id|b64(?:_json)?|base64)$/;

const DATA_URL = /^\s*data:(?:[\w.+-]+\/[\w.+-]+)?(?:;[\w-]+(?:=[^;,\s]*)?)*,/i;
const OWN_FILE = /^(?:upload|task):\S+$/;
const WEB_ADDRESS = /^https?:\/\/\S+$/i;
const ANY_ADDRESS = /^(?:[a-z][a-z\d+.-]*:)?\/\/\S+$/i;
const NAME_OF_FILE = /^[^\s:]+$/;
const ENDS_AS_MEDIUM =
  /\.(?:a?png|jpe?g|jfif|webp|gif|avif|hei[cf]|bmp|tiff?|svg|jxl|mp4|m4v|mov|webm|mkv|avi|mpe?g|ogv|3gp|mp3|wav|og[ag]|opus|flac|m4a|aac|aiff?)(?:[?#&]|$)/i;

/** The first characters of base64, without white space, which show the type of a file. */
const BASE64_HEAD = /^[A-Za-z\d+/_-]{32}/;
const HEAD_CHARACTERS = 64;
/** Beginnings of media files that the service does not use. */
const OTHER_FILE = /^(?:BM[\s\S]{4}\0{4}|II\*\0|MM\0\*|RIFF[\s\S]{4}AVI |[\s\S]{4}ftyp|<svg|<\?xml)/;

/** A text within a field. */
interface FoundText {
  readonly text: string;
  /** The nearest name, which may be that of the list with the text. */
  readonly name: string;
  /** Whether a name of an outer level refers to media. */
  readonly isAboutMedia: boolean;
}

/**
 * Searches fields of one body for pictures, films and sounds: data URLs, addresses with a media file extension, uploads
 * and results, files in base64, and lists and objects of them, also as JSON text. Under a name that refers to media,
 * any web address counts; under a free text's name, nothing. Limits: 10,000 values of all fields together, each up to
 * 64 levels deep.
 */
export class MediaSearch {
  #left = MOST_VALUES;

  /** Tells whether a field carries media. */
  inspect(name: string, value: unknown): Carried {
    for (const found of this.#textsIn({ name, isAboutMedia: MEDIA_NAME.test(name) }, value, 0)) {
      if (found === null) return 'unclear';
      if (isMedium(found)) return 'media';
    }
    return 'nothing';
  }

  /**
   * Returns the media of a field that contains nothing else, as orders refer to them: files in base64 as data URIs,
   * `file_id` as an upload; null = unclear.
   */
  sourcesOf(name: string, value: unknown): readonly string[] | null {
    const sources: string[] = [];
    for (const found of this.#textsIn({ name, isAboutMedia: true }, value, 0)) {
      if (found === null) return null;
      if (found.text !== '' && (found.name === name || isMedium(found))) sources.push(sourceOf(found));
    }
    return sources;
  }

  *#textsIn(
    { name, isAboutMedia }: Omit<FoundText, 'text'>,
    value: unknown,
    level: number,
  ): Generator<FoundText | null, void> {
    if (level > DEEPEST || this.#left-- <= 0) yield null;
    else if (typeof value === 'string') {
      const inner = readJsonText(value);
      if (inner === null) yield { text: value, name, isAboutMedia };
      else yield* this.#textsIn({ name, isAboutMedia }, inner, level + 1);
    } else if (Array.isArray(value)) {
      for (const item of value) yield* this.#textsIn({ name, isAboutMedia }, item, level + 1);
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value))
        yield* this.#textsIn({ name: key, isAboutMedia: isAboutMedia || MEDIA_NAME.test(key) }, inner, level + 1);
    }
  }
}

/** Parses the JSON list or object in a text of a form; null = none. */
function readJsonText(text: string): unknown {
  if (text.length > LONGEST_JSON_TEXT || !/^\s*[{[]/.test(text)) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isMedium({ text, name, isAboutMedia }: FoundText): boolean {
  if (text === '' || (!isAboutMedia && FREE_TEXT_NAME.test(name))) return false;
  if (FILE_NAME.test(name)) return true;
  const begin = text.slice(0, LONGEST_ADDRESS);
  if (DATA_URL.test(begin) || OWN_FILE.test(begin) || isBareFile(text)) return true;
  if (isAboutMedia && WEB_ADDRESS.test(begin)) return true;
  const isAddress = ANY_ADDRESS.test(begin) || (MEDIA_NAME.test(name) && NAME_OF_FILE.test(begin));
  return isAddress && ENDS_AS_MEDIUM.test(begin);
}

function sourceOf({ text, name }: FoundText): string {
  if (name === FILE_ID) return OWN_FILE.test(text) ? text : `upload:${text}`;
  return isBareFile(text) ? `data:application/octet-stream;base64,${text}` : text;
}

/** Tells whether a text is the base64 of a file, without `data:` before it. */
function isBareFile(text: string): boolean {
  const head = text.slice(0, HEAD_CHARACTERS * 2).replaceAll(/\s/g, '');
  if (!BASE64_HEAD.test(head)) return false;
  const bytes = Buffer.from(head.slice(0, HEAD_CHARACTERS), 'base64');
  return recognize(bytes) !== null || OTHER_FILE.test(bytes.toString('latin1'));
}
