import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadCatalog } from '../src/catalog/catalog.ts';
import { listOffers, missingOffers } from './catalog-offers.ts';

/**
 * Prints what public lists offer and the catalog lacks: `npm run catalog:watch -- <file>…`. A file is the answer of
 * OpenRouter's `/api/v1/images/models` or `/api/v1/videos/models`, or a text with one model a line, such as the listing
 * of Comfy Router's schemas (`git ls-tree -r --name-only <commit> router-schemas`). It calls no network.
 */
const { positionals: files } = parseArgs({ allowPositionals: true });
if (files.length === 0) throw new Error('expected files with public lists, found none');
const { models } = await loadCatalog({ directories: [join(import.meta.dirname, '..', 'catalog')] });
for (const file of files) {
  const offers = listOffers(await readFile(file, 'utf8'));
  const missing = missingOffers(offers, models);
  process.stdout.write(`${file}: ${offers.length} models, ${missing.length} not in the catalog\n`);
  for (const offer of missing) process.stdout.write(`  ${offer}\n`);
}
