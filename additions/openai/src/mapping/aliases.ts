import { matchesGlob } from '@darkroom-service/contract';
import type { Alias } from '../openai-settings.ts';

/** Built-in aliases of model names, tried in this order after those of the operator. */
export const DEFAULT_ALIASES: readonly Alias[] = [
  { name: 'gpt-image-1', modelId: 'gpt-image-2' },
  { name: 'gpt-image-*', modelId: 'gpt-image-2' },
  { name: 'chatgpt-image-*', modelId: 'gpt-image-2' },
  { name: 'dall-e-*', modelId: 'gpt-image-2' },
  { name: 'sora-2', modelId: 'veo-3.1-fast' },
  { name: 'sora-2-pro', modelId: 'veo-3.1' },
  { name: 'sora-2-*', modelId: 'veo-3.1-fast' },
];

/**
 * Finds the model of a name: an exact alias of the operator, the catalog itself, then the operator's patterns and the
 * defaults. A vendor before a slash, as in `openai/gpt-image-2`, does not count. An unknown name stays as it is.
 * @param isModel tells whether the catalog has a model with this id or alias
 */
export function resolveAlias(name: string, aliases: readonly Alias[], isModel: (id: string) => boolean): string {
  const exact = aliases.find((alias) => alias.name === name);
  if (exact !== undefined) return exact.modelId;
  if (isModel(name)) return name;
  const found = [...aliases, ...DEFAULT_ALIASES].find((alias) => matchesGlob(alias.name, name))?.modelId;
  if (found !== undefined) return found;
  const plain = name.slice(name.lastIndexOf('/') + 1);
  const meant = plain === name || plain === '' ? name : resolveAlias(plain, aliases, isModel);
  return isModel(meant) ? meant : name;
}
