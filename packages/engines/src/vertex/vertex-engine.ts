import type { Engine } from '../engine.ts';
import { createGeminiPictures } from '../google/gemini-engine.ts';
import { joinByType } from '../upstream/join-by-type.ts';
import { createAccessTokens } from './access-tokens.ts';
import { createVeoEngine } from './veo-engine.ts';
import { createVertexApi, type VertexSettings } from './vertex-api.ts';

const TIMEOUT_MS = 10 * 60_000;

/** Creates the engine for Google's models at Vertex AI: Gemini for pictures, Veo for videos. */
export function createVertexEngine(settings: VertexSettings): Engine {
  const tokens = createAccessTokens(settings.account, settings);
  const api = createVertexApi(settings, tokens, TIMEOUT_MS);
  const stills = createGeminiPictures({
    name: 'vertex',
    secrets: [settings.account.privateKey],
    api,
    pathOf: (model) => api.pathOf(model),
  });
  return joinByType({ stills, films: createVeoEngine(settings, tokens) });
}
