import type { Entry, Parameter } from '@darkroom-service/contract/catalog';
import type { ModelRecord } from './store.ts';

/** Parts of catalog entries for models of this machine. */

/** The name of the engine that runs them. */
export const LOCAL_ENGINE = 'local';
/** The vendor of its models. */
export const LOCAL_VENDOR = 'This machine';

export const SEED = {
  type: 'integer',
  minimum: 0,
  maximum: 2147483647,
  default: null,
  description: 'The same seed and request give a similar result. Without a seed it is random.',
} as const;
export const PROMPT = { type: 'string', default: null, description: 'What the image shows.' } as const;
export const NEGATIVE = { type: 'string', default: null, description: 'What the output must not show.' } as const;
export const PICTURE: Parameter = {
  type: 'array',
  items: { type: 'string', format: 'uri', 'x-media': 'image' },
  minItems: 1,
  maxItems: 1,
  default: null,
  description: 'An image to start from.',
};
export const STRENGTH: Parameter = {
  type: 'number',
  minimum: 0.05,
  maximum: 1,
  default: 0.6,
  description: 'How much the result may differ from the start image.',
};
export const CHARACTERS = { max: 4000, unit: 'characters' } as const;

/** Returns the parameter `aspect_ratio`. */
export function ratio(values: readonly [string, ...string[]], description: string): Parameter {
  return { type: 'string', enum: values, default: values[0], description };
}

/** Returns the price of a pulled model: 0 until the operator sets another one. */
export function pricingOf({ price = '0' }: ModelRecord, per: 'image' | 'output_second'): Entry['pricing'] {
  return { components: [{ per, amount: price }] } as Entry['pricing'];
}

/** Tells whether a model takes a negative prompt, which has no effect without guidance. */
export function usesNegative({ parameters }: ModelRecord): boolean {
  return parameters.cfg_scale !== 1;
}
