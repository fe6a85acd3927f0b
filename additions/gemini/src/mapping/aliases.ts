import { resolveAlias } from '@darkroom-service/addition-openai/mapping/aliases';
import type { Alias } from '@darkroom-service/addition-openai/openai-settings';
import type { Catalog } from '@darkroom-service/darkroom/kernel-views';

/** Models of Google's that applications have built in, tried in this order after the aliases of the operator. */
export const GEMINI_ALIASES: readonly Alias[] = [
  { name: 'gemini-3-pro-image*', modelId: 'nano-banana-pro' },
  { name: 'gemini-*-flash-lite-image*', modelId: 'nano-banana-2-lite' },
  { name: 'gemini-*-image*', modelId: 'nano-banana-2' },
  { name: 'imagen-*-ultra*', modelId: 'nano-banana-pro' },
  { name: 'imagen-*-fast*', modelId: 'nano-banana-2-lite' },
  { name: 'imagen-*', modelId: 'nano-banana-2' },
  { name: 'veo-*-fast*', modelId: 'veo-3.1-fast' },
  { name: 'veo-*-lite*', modelId: 'veo-3.1-lite' },
  { name: 'veo-*', modelId: 'veo-3.1' },
];

const PATH = /^(?:publishers\/google\/)?models\//;

/** Returns the id of the model that a client names; an unknown name as it is. */
export function modelIdOf(name: string, catalog: Catalog, ofOperator: readonly Alias[]): string {
  const aliases = [...ofOperator, ...GEMINI_ALIASES];
  return resolveAlias(name.replace(PATH, ''), aliases, (id) => catalog.find(id) !== null);
}
