import { minimax, ROUTER_FILMS } from './comfy-router-films.ts';
import { krea, ROUTER_PICTURES } from './comfy-router-pictures.ts';
import type { RouterInput } from './comfy-router-schema.ts';
import type { InputShape } from './fake-upstream.ts';
import { from, needed, oneOf } from './input-fields.ts';

/** Input from the Router's page of the model (docs.comfy.org, 2026-11); fields that its example lacks are closed. */
const krea3: InputShape = {
  prompt: needed,
  aspect_ratio: oneOf('1:1', '4:5', '3:4', '2:3', '9:16', '5:4', '4:3', '3:2', '16:9', '21:9'),
  resolution: { ...oneOf('1k', '2k'), required: true },
};
/** Input from the Router's page of the model, as above. */
const pixverse6Max: InputShape = {
  prompt: needed,
  aspect_ratio: { ...oneOf('16:9', '4:3', '1:1', '3:4', '9:16', '2:3', '3:2', '21:9'), required: true },
  duration: { ...from(1, 15), required: true },
  quality: { ...oneOf('360p', '540p', '720p', '1080p'), required: true },
};

export const ROUTER_INPUTS: Readonly<Record<string, RouterInput>> = { ...ROUTER_PICTURES, ...ROUTER_FILMS };

/**
 * Inputs of models whose schema at the Router was not read, or that pass any object on. Krea 3 and V6 Max follow its
 * pages; the others follow the vendor's own interface: Krea's from its OpenAPI document as client programs quote it
 * (2026-08-13), MiniMax's version 2 from its pages (2026-11-20).
 */
export const UNPROVEN: Readonly<Record<string, InputShape>> = {
  'krea/krea-2-large': krea,
  'krea/krea-2-medium': krea,
  'krea/krea-2-medium-turbo': krea,
  'krea/krea-3': krea3,
  'minimax/minimax-h3': minimax,
  'pixverse/v6-max': pixverse6Max,
};
