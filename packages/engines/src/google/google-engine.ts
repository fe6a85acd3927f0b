import type { Engine } from '../engine.ts';
import { joinByType } from '../upstream/join-by-type.ts';
import { createGoogleFilmsEngine } from './films-engine.ts';
import { createGeminiEngine } from './gemini-engine.ts';
import type { GoogleSettings } from './google-api.ts';

/** Creates the engine for Google's Gemini API: Gemini for pictures, Omni for videos. */
export function createGoogleEngine(settings: GoogleSettings): Engine {
  return joinByType({ stills: createGeminiEngine(settings), films: createGoogleFilmsEngine(settings) });
}
