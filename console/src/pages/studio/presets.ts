import { changeKeptList, type KeptList, useKeptList } from '../../api/kept-list.ts';
import { type CatalogModel, mediaParameter, type Values } from '../../api/model.ts';

/** A model with its settings under a name, without prompt and media. */
export interface Preset {
  readonly name: string;
  readonly modelId: string;
  readonly values: Values;
}

const MOST = 50;
const list: KeptList<Preset> = {
  name: 'presets',
  isItem: (value): value is Preset =>
    typeof value === 'object' && value !== null && 'name' in value && 'modelId' in value && 'values' in value,
};

/** The presets of the key in use, by name. */
export function usePresets(): readonly Preset[] {
  return useKeptList(list);
}

/** Keeps settings. A preset of the same name is replaced. */
export function savePreset(name: string, model: CatalogModel, values: Values): void {
  const preset = { name, modelId: model.model_id, values: settingsOf(model, values) };
  changeKeptList(list, (presets) =>
    [preset, ...presets.filter((one) => one.name !== name)]
      .slice(0, MOST)
      .sort((left, right) => left.name.localeCompare(right.name)),
  );
}

export function removePreset(name: string): void {
  changeKeptList(list, (presets) => presets.filter((one) => one.name !== name));
}

/** Returns the values that a preset keeps. */
function settingsOf(model: CatalogModel, values: Values): Values {
  const isSetting = ([name]: [string, unknown]) => name !== 'prompt' && mediaParameter(model, name) === null;
  return Object.fromEntries(Object.entries(values).filter(isSetting));
}

/** Returns the values of a form after a preset is chosen: its settings, and the prompt and media of before. */
export function withPreset(model: CatalogModel, before: Values, preset: Preset): Values {
  const isKept = ([name]: [string, unknown]) => name === 'prompt' || mediaParameter(model, name) !== null;
  return { ...Object.fromEntries(Object.entries(before).filter(isKept)), ...preset.values };
}
