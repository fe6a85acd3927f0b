import { LONGEST_WAIT_SECONDS } from '@darkroom-service/contract';
import { defineSettings, list } from '@darkroom-service/darkroom/kernel';
import { Type } from 'typebox';

const ALIASES_EXPECTED = 'pairs of a name and a model such as gpt-image-1=flux-2-pro,dall-e-*=sketch, each name once';

/** A model name that applications send, and its model. `*` in the name matches any characters, `?` one character. */
export interface Alias {
  readonly name: string;
  readonly modelId: string;
}

/**
 * Settings of the OpenAI-compatible interface: its aliases, and the time for which it holds requests, which no variable
 * changes.
 */
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
  },
  read: (values) => ({
    aliases: values.DARKROOM_OPENAI_MOUNT_ALIASES.map(readAlias),
    holdMs: LONGEST_WAIT_SECONDS * 1000,
  }),
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
