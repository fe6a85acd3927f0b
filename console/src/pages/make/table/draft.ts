import type { CatalogModel, Values } from '../../../api/model.ts';
import { createTabStore, useStore } from '../../../api/store.ts';

/** A setting that varies, with its values as they were written. */
export interface Axis {
  readonly name: string;
  readonly values: readonly string[];
}

/** The form of a table, to begin with. */
const FIRST = {
  type: 'image' as 'image' | 'video',
  prompts: '',
  modelIds: [] as readonly string[],
  /** Whole numbers, separated by commas. */
  seeds: '1, 2, 3, 4',
  axes: [] as readonly Axis[],
  /** US dollars, as written; empty = the shown price. */
  ceiling: '',
  /** Orders that the service refused and the user left out, as JSON. */
  leftOut: [] as readonly string[],
};

type LightDraft = Readonly<typeof FIRST>;

/** Kept as long as the tab, whatever page is open. */
const draftStore = createTabStore<LightDraft>('darkroom.light.draft', FIRST);

export function useLightDraft(): LightDraft {
  return useStore(draftStore);
}

export function changeDraft(part: Partial<LightDraft>): void {
  draftStore.set({ ...draftStore.get(), ...part });
}

/** Begins a table with what the form of one order has. Another model takes the place of those of the table. */
export function varyOrder({ model_id: id, type }: CatalogModel, { prompt, seed, ...settings }: Values): void {
  const table = draftStore.get();
  const line = typeof prompt === 'string' ? prompt.replace(/\s+/g, ' ').trim() : '';
  const hasLine = line === '' || table.prompts.split('\n').includes(line);
  const axes = Object.entries(settings).flatMap(([name, value]) => {
    const only = Array.isArray(value) && value.length === 1 ? value[0] : value;
    return typeof only === 'object' ? [] : [{ name, values: [String(only)] }];
  });
  changeDraft({
    ...(hasLine ? {} : { prompts: line }),
    ...(table.modelIds.includes(id) ? {} : { type, modelIds: [id], axes }),
    ...(typeof seed === 'number' ? { seeds: String(seed) } : {}),
    leftOut: [],
  });
}

/** Returns null if the text is no list of seeds. */
export function seedsOf(text: string): readonly number[] | null {
  const words = text.split(/[\s,;]+/).filter((word) => word !== '');
  if (!words.every((word) => /^\d{1,10}$/.test(word) && Number(word) <= 4_294_967_295)) return null;
  return [...new Set(words.map(Number))];
}

export function randomSeeds(count: number): string {
  return Array.from({ length: count }, () => 1 + Math.floor(Math.random() * 999_999)).join(', ');
}
