import type { Engine } from '../engine.ts';
import { joinByType } from '../upstream/join-by-type.ts';
import { createXaiFilmsEngine } from './films-engine.ts';
import { createXaiPicturesEngine } from './pictures-engine.ts';
import type { XaiSettings } from './xai-api.ts';

/** Creates the engine for xAI: Grok Imagine's pictures and videos. */
export function createXaiEngine(settings: XaiSettings): Engine {
  return joinByType({ stills: createXaiPicturesEngine(settings), films: createXaiFilmsEngine(settings) });
}
