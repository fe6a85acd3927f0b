import type { CatalogEntry } from '@darkroom-service/contract';
import { featureLabel } from '../texts/studio-labels.ts';

/** Properties of a model that a search covers. A model hidden from the public catalog has only names and vendor. */
type SearchedModel = Pick<CatalogEntry, 'model_id' | 'name' | 'vendor'> &
  Partial<Pick<CatalogEntry, 'aliases' | 'description' | 'supported_features'>>;

/** Tells whether a model contains all words of a search in its names, vendor, description or features. */
export function hasWords(model: SearchedModel, search: string): boolean {
  const { model_id: id, aliases = [], name, vendor, description = '', supported_features: features = [] } = model;
  const hay = plain([id, ...aliases, name, vendor, description, ...features.map(featureLabel)].join(' '));
  return plain(search)
    .split(' ')
    .every((word) => hay.includes(word));
}

/** Normalizes a text, so that `FLUX.2 [pro]` and `flux-2-pro` are the same words. */
function plain(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}.]+|\.(?!\d)/gu, ' ')
    .replaceAll(/(?<=\p{L})\.(?=\d)/gu, ' ')
    .trim();
}
