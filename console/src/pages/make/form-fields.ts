import { type CatalogModel, mediaParameter, type Values, withoutEmpty } from '../../api/model.ts';
import { fieldLabelInSentence } from '../../texts/studio-labels.ts';

/** Fields shown first, in this order; all others are under "More settings". */
const MAIN = ['aspect_ratio', 'resolution', 'duration', 'style', 'quality', 'speed', 'generate_audio'];
/** Fields that the list leaves out: only one output can be ordered, and prompts have a separate field. */
const NOT_DRAWN = ['prompt', 'num_images'];
const MAIN_MEDIA = ['image_urls', 'first_frame_url', 'last_frame_url', 'mask_url'];

/** Returns the parameters of a model in the order of the form. */
export function orderOfFields(model: CatalogModel): {
  readonly media: readonly string[];
  readonly main: readonly string[];
  readonly further: readonly string[];
} {
  const names = Object.keys(model.parameters).filter((name) => !NOT_DRAWN.includes(name));
  const media = names.filter((name) => mediaParameter(model, name) !== null);
  const plain = names.filter((name) => !media.includes(name));
  const rank = (list: readonly string[]) => (name: string) =>
    list.indexOf(name) < 0 ? list.length : list.indexOf(name);
  const byRank = (list: readonly string[]) => (left: string, right: string) => rank(list)(left) - rank(list)(right);
  return {
    media: media.sort(byRank(MAIN_MEDIA)),
    main: plain.filter((name) => MAIN.includes(name)).sort(byRank(MAIN)),
    further: plain.filter((name) => !MAIN.includes(name)),
  };
}

/** Returns a text with the missing fields; null if the fields of one `required` list are all set. */
export function missingFor(model: CatalogModel, values: Values): string | null {
  const sent = withoutEmpty(values);
  const has = (name: string) => (typeof sent[name] === 'string' ? sent[name].trim() !== '' : sent[name] !== undefined);
  if (model.required.length === 0 || model.required.some((list) => list.every(has))) return null;
  const lists = model.required.map((list) => list.map((name) => fieldLabelInSentence(name)).join(' with '));
  return `Needs ${lists.join(' or ')}.`;
}
