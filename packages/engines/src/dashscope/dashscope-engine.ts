import type { Engine } from '../engine.ts';
import { joinByType } from '../upstream/join-by-type.ts';
import type { VendorSettings } from '../upstream/vendor-settings.ts';
import { createDashscopeFilmsEngine } from './films-engine.ts';
import { createDashscopePicturesEngine } from './pictures-engine.ts';

/** Creates the engine for Alibaba's DashScope: Qwen's pictures, and the videos of Wan and HappyHorse. */
export function createDashscopeEngine(settings: VendorSettings): Engine {
  return joinByType({ stills: createDashscopePicturesEngine(settings), films: createDashscopeFilmsEngine(settings) });
}
