import { Type } from 'typebox';
import { decimal, list, type ValuesOf } from './variable-types.ts';

const ALIASES_EXPECTED = 'pairs of a name and a model such as gpt-image-1=flux-2-pro,dall-e-*=sketch, each name once';

/**
 * A model name that applications send, and the model that it stands for. `*` in the name stands for any characters, `?`
 * for one.
 */
export interface Alias {
  readonly name: string;
  readonly modelId: string;
}

/** Settings of the OpenAI-compatible interface. */
export const OPENAI_VARIABLES = {
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
  DARKROOM_OPENAI_MOUNT_HOP_SECONDS: decimal(
    0.01,
    280,
    'How long a request of an OpenAI client that follows redirects is held before a redirect. Must be shorter than the timeout of every proxy in front.',
    55,
  ),
  DARKROOM_OPENAI_MOUNT_HOLD_SECONDS: decimal(
    0.01,
    280,
    'How long a request of any other OpenAI client is held. Then the answer names the task and the address of the result.',
    95,
  ),
} as const;

export type OpenaiConfig = Readonly<ReturnType<typeof openaiOf>>;

export function openaiOf(values: ValuesOf<typeof OPENAI_VARIABLES>) {
  return {
    aliases: values.DARKROOM_OPENAI_MOUNT_ALIASES.map(readAlias),
    hopMs: Math.round(values.DARKROOM_OPENAI_MOUNT_HOP_SECONDS * 1000),
    holdMs: Math.round(values.DARKROOM_OPENAI_MOUNT_HOLD_SECONDS * 1000),
  };
}

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
