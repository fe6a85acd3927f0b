import type { Engine } from '../engine.ts';
import type { VendorSettings } from '../upstream/vendor-settings.ts';
import { createImagesEngine, TIMEOUT_MS } from './images-engine.ts';
import { askModels, openOpenAi } from './openai-api.ts';

/**
 * Creates the engine for OpenAI's images API and servers that copy it (LocalAI, sd-server).
 * @param settings with `url` null for OpenAI's own, or that of a server, including the version in the path
 */
export function createOpenAiEngine(settings: VendorSettings): Engine {
  const { key, pictures } = settings;
  const upstream = openOpenAi(settings, TIMEOUT_MS);
  return createImagesEngine({
    name: 'openai',
    secrets: [key],
    upstream,
    pictures,
    callFor: (url, model) => ({ url, model }),
    ...askModels(upstream),
  });
}
