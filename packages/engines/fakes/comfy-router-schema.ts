import type { InputShape } from './fake-upstream.ts';

/**
 * The request bodies that Comfy Router validates orders against, from the schemas in its documentation
 * (`router-schemas/<provider>/<model>.json` of github.com/Comfy-Org/docs, read on 2026-11-21; `version` is the schema's
 * own). Fields that the schema leaves open are closed here, so the fake is never less strict than the Router.
 */
export interface RouterInput {
  readonly version: string;
  readonly shape: InputShape;
}
