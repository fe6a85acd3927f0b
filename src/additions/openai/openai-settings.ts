import { Type } from 'typebox';
import { decimal, defineSettings, list } from '../../kernel.ts';

const ALIASES_EXPECTED = 'pairs of a name and a model such as gpt-image-1=flux-2-pro,dall-e-*=sketch, each name once';

/**
 * A model name that applications send, and the model that it stands for. `*` in the name stands for any characters, `?`
 * for one.
 */
export interface Alias {
  readonly name: string;
  readonly modelId: string;
}

/** Many proxies and clients give up after a minute. */
const MOST_HOP_MS = 55_000;

/** The OpenAI-compatible interface: its aliases, and how long it holds requests. */
export const OPENAI_SETTINGS = defineSettings({
  variables: {
    DARKROOM_OPENAI_MOUNT_ALIASES: Type.Refine(
      list(/^[^=\s]+=[^=*\s]+$/, {
        expected: ALIASES_EXPECTED,
        description:
          'Model names of [OpenAI clients](openai.md) and the models that they stand for; `*` stands for any characters. They precede the defaults of that page.',
        default: '',
      }),
      (pairs) => repeatedNames(pairs.map(readAlias)).length === 0,
      () => ALIASES_EXPECTED,
    ),
    DARKROOM_OPENAI_MOUNT_HOLD_SECONDS: decimal(
      0.01,
      280,
      'How long a request of an OpenAI client is held, one of a client that follows redirects at most 55 seconds. Must be shorter than the timeout of every proxy in front.',
      95,
    ),
  },
  read(values) {
    const holdMs = Math.round(values.DARKROOM_OPENAI_MOUNT_HOLD_SECONDS * 1000);
    return {
      aliases: values.DARKROOM_OPENAI_MOUNT_ALIASES.map(readAlias),
      /** How long a request is held before a redirect, and one of a client that follows none. */
      hopMs: Math.min(holdMs, MOST_HOP_MS),
      holdMs,
    };
  },
});

export type OpenaiConfig = ReturnType<typeof OPENAI_SETTINGS.read>;

/** Parses `name=model_id`. */
function readAlias(text: string): Alias {
  const at = text.indexOf('=');
  return { name: text.slice(0, at).trim(), modelId: text.slice(at + 1).trim() };
}

/** Returns the names that several aliases define. */
function repeatedNames(aliases: readonly Alias[]): string[] {
  const names = aliases.map(({ name }) => name);
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
}
