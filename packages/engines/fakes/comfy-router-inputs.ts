import { minimax, ROUTER_FILMS } from './comfy-router-films.ts';
import { krea, ROUTER_PICTURES } from './comfy-router-pictures.ts';
import type { InputShape } from './fake-upstream.ts';

/**
 * The request bodies that Comfy Router validates orders against, from the schemas in its documentation
 * (`router-schemas/<provider>/<model>.json` of github.com/Comfy-Org/docs, read on 2026-11-21; `version` is the
 * schema's own). Fields that the schema leaves open are closed here, so the fake is never milder than the Router.
 */
export interface RouterInput {
  readonly version: string;
  readonly shape: InputShape;
}

export const ROUTER_INPUTS: Readonly<Record<string, RouterInput>> = { ...ROUTER_PICTURES, ...ROUTER_FILMS };

/**
 * For these the Router publishes no fields and passes any object on; the vendor's own interface is the measure: Krea's
 * from its OpenAPI document as client programs quote it (2026-08-13), MiniMax's version 2 from its pages (2026-11-20).
 */
export const UNPROVEN: Readonly<Record<string, InputShape>> = {
  'krea/krea-2-large': krea,
  'krea/krea-2-medium': krea,
  'krea/krea-2-medium-turbo': krea,
  'minimax/minimax-h3': minimax,
};
