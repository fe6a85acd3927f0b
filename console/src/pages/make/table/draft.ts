import type { CatalogModel, Values } from '../../../api/model.ts';
import { createTabStore, useStore } from '../../../api/store.ts';

/** A setting that varies, with its values as typed. */
export interface Axis {
  readonly name: string;
  readonly values: readonly string[];
}

/** The initial form of a table. */
const FIRST = {
  type: 'image' as 'image' | 'video',
  prompts: '',
  modelIds: [] as readonly string[],
  /** Integers, separated by commas. */
  seeds: '1, 2, 3, 4',
  axes: [] as readonly Axis[],
  /** US dollars, as typed; empty = the displayed price. */
  ceiling: '',
  /** Orders that the service refused and the user left out, as JSON. */
  leftOut: [] as readonly string[],
};

type LightDraft = Readonly<typeof FIRST>;

/** The draft, stored as long as the tab, whatever page is open. */
const draftStore = createTabStore<LightDraft>('darkroom.light.draft', FIRST);

export function useLightDraft(): LightDraft {
  return useStore(draftStore);
}

export function changeDraft(part: Partial<LightDraft>): void {
  draftStore.set({ ...draftStore.get(), ...part });
}

/** Starts a table with the form of a single order. If its model is another one, it replaces the table's models. */
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

/** Parses a list of seeds; null if the text is none. */
export function seedsOf(text: string): readonly number[] | null {
  const words = text.split(/[\s,;]+/).filter((word) => word !== '');
  if (!words.every((word) => /^\d{1,10}$/.test(word) && Number(word) <= 4_294_967_295)) return null;
  return [...new Set(words.map(Number))];
}

export function randomSeeds(count: number): string {
  return Array.from({ length: count }, () => 1 + Math.floor(Math.random() * 999_999)).join(', ');
}
