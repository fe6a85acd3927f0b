import type { Engine } from '../engine.ts';
import { joinByType } from '../upstream/join-by-type.ts';
import type { ArkSettings } from './ark.ts';
import { createSeedanceEngine } from './seedance-engine.ts';
import { createSeedreamEngine } from './seedream-engine.ts';

/**
 * Creates the engine for ByteDance: Seedream for pictures, Seedance for videos. A route's `model` is a model or one of
 * the account's endpoints (`ep-…`).
 */
export function createByteplusEngine(settings: ArkSettings): Engine {
  return joinByType({ stills: createSeedreamEngine(settings), films: createSeedanceEngine(settings) });
}
