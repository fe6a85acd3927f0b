import type { Engine } from '../engine.ts';
import { joinByType } from '../upstream/join-by-type.ts';
import type { ArkSettings } from './ark.ts';
import { createSeedanceEngine } from './seedance-engine.ts';
import { createSeedreamEngine } from './seedream-engine.ts';

/** ByteDance: Seedream for pictures, Seedance for films. A route's `model` is a model or an endpoint (`ep-…`) of the account. */
export function createByteplusEngine(settings: ArkSettings): Engine {
  return joinByType({ stills: createSeedreamEngine(settings), films: createSeedanceEngine(settings) });
}
