import { type CatalogModel, mediaParameter, type Values, withoutEmpty } from '../../api/model.ts';
import { fieldLabel, studioTexts } from '../../texts/studio.ts';

/** Shown at once, in this order; whatever else a model takes stands under "more settings". */
const MAIN = ['aspect_ratio', 'resolution', 'duration', 'style', 'quality', 'speed', 'generate_audio'];
/** Only one output can be asked for, and prompts have a place of their own. */
const NOT_DRAWN = ['prompt', 'num_images'];
const MAIN_MEDIA = ['image_urls', 'first_frame_url', 'last_frame_url', 'mask_url'];

/** The parameters of a model as the form shows them. */
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

/** What an order still lacks, in words; null when it has what one of the model's lists asks for. */
export function missingFor(model: CatalogModel, values: Values): string | null {
  const sent = withoutEmpty(values);
  const has = (name: string) => (typeof sent[name] === 'string' ? sent[name].trim() !== '' : sent[name] !== undefined);
  if (model.required.length === 0 || model.required.some((list) => list.every(has))) return null;
  const lists = model.required.map((list) =>
    list.map((name) => fieldLabel(name).toLowerCase()).join(studioTexts.needsAnd),
  );
  return studioTexts.needs(lists.join(studioTexts.needsOr));
}
