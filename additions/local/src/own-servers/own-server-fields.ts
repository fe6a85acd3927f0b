import { MODEL_ID, parseMicros } from '@darkroom-service/contract';
import { isEntry } from '@darkroom-service/darkroom/kernel-cli';
import { OWN_SERVER_APIS } from './own-server.ts';

export interface Field {
  readonly expected: string;
  readonly accepts: (value: unknown) => boolean;
}

const MODEL = new RegExp(`^(?!local-)${MODEL_ID}$`);
const SIZE = /^[1-9]\d{1,3}x[1-9]\d{1,3}$/;
const TEXT: Field = { expected: 'a text', accepts: isText };
const NAME: Field = {
  expected: 'a name of lower-case letters, digits and hyphens, such as comfy',
  accepts: (value) => typeof value === 'string' && /^[a-z][a-z0-9-]{0,39}$/.test(value),
};

/** The fields of an own server. */
export const SERVER_FIELDS: Readonly<Record<string, Field>> = {
  name: NAME,
  command: {
    expected: 'a list of texts: the program and its arguments',
    accepts: (value) => Array.isArray(value) && value.length > 0 && value.every(isText),
  },
  api: {
    expected: `one of ${OWN_SERVER_APIS.join(', ')}`,
    accepts: (value) => OWN_SERVER_APIS.some((api) => api === value),
  },
  ready: {
    expected: 'a path that answers 2xx once the server can be used, such as /health',
    accepts: (value) => typeof value === 'string' && /^\/\S*$/.test(value),
  },
  port: {
    expected: '"auto" or a whole number from 1024 to 65535',
    accepts: (value) => value === 'auto' || isWhole(value, 1024, 65_535),
  },
  network: { expected: '"open"', accepts: (value) => value === 'open' },
  directory: { expected: 'a directory', accepts: isText },
  environment: {
    expected: `an object of texts such as {"HF_TOKEN": "\${HF_TOKEN}"}`,
    accepts: (value) =>
      isEntry(value) &&
      Object.entries(value).every(([name, text]) => /^\w+$/.test(name) && typeof text === 'string' && isClean(text)),
  },
  key: TEXT,
  memory_mb: {
    expected: 'a whole number from 1 to 100000000',
    accepts: (value) => isWhole(value, 1, 100_000_000),
  },
  models: {
    expected: 'a list such as [{"model": "sdxl-text-to-image", "id": "my-sdxl"}]',
    accepts: (value) => Array.isArray(value) && value.length > 0 && value.every(isEntry),
  },
};

export const REQUIRED_FIELDS = ['name', 'command', 'api', 'ready', 'models'];

/** The fields of a model of an own server. */
export const MODEL_FIELDS: Readonly<Record<string, Field>> = {
  model: { expected: 'what the server calls it', accepts: isText },
  edit_model: { expected: 'what the server calls it for orders with a picture', accepts: isText },
  id: {
    expected: 'a model_id such as my-sdxl, that does not begin with local- as those of pulled models do',
    accepts: (value) => typeof value === 'string' && MODEL.test(value),
  },
  name: TEXT,
  sizes: {
    expected: 'an object of sizes by ratio such as {"1:1": "1024x1024", "16:9": "1344x768"}',
    accepts: (value) =>
      isEntry(value) &&
      Object.keys(value).length > 0 &&
      Object.entries(value).every(
        ([ratio, size]) => /^[1-9]\d?:[1-9]\d?$/.test(ratio) && typeof size === 'string' && SIZE.test(size),
      ),
  },
  price: {
    expected: 'an amount in US dollars for one picture such as "0.01"',
    accepts: (value) => typeof value === 'string' && /^\d{1,6}(\.\d{1,6})?$/.test(value) && parseMicros(value) !== null,
  },
  negative_prompt: { expected: 'true or false', accepts: (value) => typeof value === 'boolean' },
  fixed: { expected: 'an object such as {"quality": "high"}', accepts: isEntry },
};

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '' && isClean(value);
}

/** Tells whether a text has no NUL, which no program can receive. */
function isClean(text: string): boolean {
  return !text.includes('\0');
}

function isWhole(value: unknown, from: number, to: number): boolean {
  return Number.isInteger(value) && Number(value) >= from && Number(value) <= to;
}
