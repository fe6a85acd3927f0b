import type { CatalogEntry } from '@darkroom-service/contract';
import { featureLabel } from '../texts/studio-labels.ts';

/** What a search looks at; a model that the catalog does not show to all has only its names and its vendor. */
type SearchedModel = Pick<CatalogEntry, 'model_id' | 'name' | 'vendor'> &
  Partial<Pick<CatalogEntry, 'aliases' | 'description' | 'supported_features'>>;

/** Tells whether a model has all words of a search in its names, its vendor, its description or what it can do. */
export function hasWords(model: SearchedModel, search: string): boolean {
  const { model_id: id, aliases = [], name, vendor, description = '', supported_features: features = [] } = model;
  const hay = plain([id, ...aliases, name, vendor, description, ...features.map(featureLabel)].join(' '));
  return plain(search)
    .split(' ')
    .every((word) => hay.includes(word));
}

/** `FLUX.2 [pro]` and `flux-2-pro` are the same words. */
function plain(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}.]+|\.(?!\d)/gu, ' ')
    .replaceAll(/(?<=\p{L})\.(?=\d)/gu, ' ')
    .trim();
}
