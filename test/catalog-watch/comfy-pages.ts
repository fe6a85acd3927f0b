import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { hasVersion } from './model-lists.ts';
import { namedOffer, type Offer } from './offer.ts';
import type { Package } from './packages.ts';

/**
 * Reads ComfyUI's documentation: the models that a node of a service offers, if it returns images, videos or SVGs.
 * @throws Error if there are no such pages.
 */
export async function readComfyPages({ name, folder }: Package): Promise<readonly Offer[]> {
  const pages = globSync(join(folder, '**', 'docs', '*', 'en.md')).sort();
  const offers = await Promise.all(
    pages.map(async (page) => {
      const text = await readFile(page, 'utf8');
      const node = basename(dirname(page));
      return modelsOf(text).map((model) => namedOffer(name, `${node} ${model}`, model));
    }),
  );
  if (offers.flat().length === 0) throw new Error('expected pages of nodes with models, found none');
  return offers.flat();
}

function modelsOf(page: string): string[] {
  const [inputs = '', outputs = ''] = page.split(/^## Outputs/m);
  if (!/\| *(?:IMAGE|VIDEO|SVG) *\|/.test(outputs) || /3D|MESH/.test(outputs)) return [];
  const [row = ''] = /^\| *`model` *\|.*$/m.exec(inputs) ?? [];
  // The last column has the values; a description may name others.
  const values = row.split('|').at(-2) ?? '';
  return [...values.matchAll(/"([^"]+)"/g)].flatMap(([, model = '']) => (hasVersion(model) ? [model] : []));
}
