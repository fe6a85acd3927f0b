import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { paidModel } from '../crash/paid-model.ts';
import { UPSTREAM_ENGINES } from './upstream-engines.ts';

/** Writes a catalog with a model for each engine of the fake upstream. */
export async function writeCatalog(folder: string): Promise<void> {
  await mkdir(folder);
  const models = UPSTREAM_ENGINES.map(withInputs);
  await writeFile(join(folder, 'paid.json'), JSON.stringify({ vendor: 'Paid', models }));
}

/** A model that takes pictures too, so that orders can use each other. */
function withInputs(name: string): object {
  const model = paidModel(name) as { readonly parameters: object };
  const items = { type: 'string', format: 'uri', 'x-media': 'image' };
  const images = {
    type: 'array',
    items,
    minItems: 1,
    maxItems: 2,
    default: null,
    description: 'Pictures to refer to.',
  };
  return {
    ...model,
    parameters: { ...model.parameters, image_urls: images },
    supported_features: ['text_to_image', 'image_to_image'],
    limits: { image_urls: { max: 2, role: 'reference' } },
  };
}
