import type { CatalogEntry } from '@darkroom-service/contract';
import { studioTexts } from '../texts/studio.ts';
import { featureLabel } from '../texts/studio-labels.ts';

/** Properties of a model that a search covers. A model hidden from the public catalog has only names and vendor. */
type SearchedModel = Pick<CatalogEntry, 'model_id' | 'name' | 'vendor'> &
  Partial<Pick<CatalogEntry, 'aliases' | 'description' | 'supported_features' | 'actions'>>;

/** Features of almost every model: only the whole label finds them, so that "text" finds models for lettering. */
const OF_MOST = ['text_to_image', 'text_to_video'];

/**
 * Tells whether a model contains all words of a search in its names, vendor, description, features or actions. Each
 * word may be the beginning of one.
 */
export function hasWords(model: SearchedModel, search: string): boolean {
  const { model_id: id, aliases = [], name, vendor, description = '' } = model;
  const { supported_features: features = [], actions = [] } = model;
  const words = plain(search);
  if (OF_MOST.some((feature) => features.includes(feature) && plain(featureLabel(feature)) === words)) return true;
  const told = [...features.filter((feature) => !OF_MOST.includes(feature)), ...actions];
  const labels = told.flatMap((one) => [featureLabel(one), studioTexts.searched[one] ?? '']);
  const hay = ` ${plain([id, ...aliases, name, vendor, description, ...labels].join(' '))}`;
  return words.split(' ').every((word) => hay.includes(` ${word}`));
}

/** Normalizes a text, so that `FLUX.2 [pro]` and `flux-2-pro` are the same words. */
function plain(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}.]+|\.(?!\d)/gu, ' ')
    .replaceAll(/(?<=\p{L})\.(?=\d)/gu, ' ')
    .trim();
}
