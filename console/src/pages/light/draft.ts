import { createStore, useStore } from '../../api/store.ts';

/** A setting that varies, with its values as they were written. */
export interface Axis {
  readonly name: string;
  readonly values: readonly string[];
}

/** The form of a light table. Kept as long as the tab, whatever page is open. */
export interface LightDraft {
  readonly type: 'image' | 'video';
  readonly prompts: string;
  readonly modelIds: readonly string[];
  /** Whole numbers, separated by commas. */
  readonly seeds: string;
  readonly axes: readonly Axis[];
  /** US dollars, as written; empty = the shown price. */
  readonly ceiling: string;
  /** Orders that the service refused and the user left out, as JSON. */
  readonly leftOut: readonly string[];
}

const NAME = 'darkroom.light.draft';
const FIRST: LightDraft = {
  type: 'image',
  prompts: '',
  modelIds: [],
  seeds: '1, 2, 3, 4',
  axes: [],
  ceiling: '',
  leftOut: [],
};

const draftStore = createStore<LightDraft>(readDraft());
draftStore.subscribe(() => sessionStorage.setItem(NAME, JSON.stringify(draftStore.get())));

export function useLightDraft(): LightDraft {
  return useStore(draftStore);
}

export function changeDraft(part: Partial<LightDraft>): void {
  draftStore.set({ ...draftStore.get(), ...part });
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

function readDraft(): LightDraft {
  try {
    const kept = JSON.parse(sessionStorage.getItem(NAME) ?? 'null') as LightDraft | null;
    return kept === null ? FIRST : { ...FIRST, ...kept };
  } catch {
    return FIRST;
  }
}
