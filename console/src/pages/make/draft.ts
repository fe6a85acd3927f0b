import type { JsonValue, TaskView as Task } from '@darkroom-service/contract';
import { type CatalogModel, type Values, valuesThatFit, withoutEmpty } from '../../api/model.ts';
import type { Mode } from '../../api/session.ts';
import { createTabStore, useStore } from '../../api/store.ts';
import { consentFields, NO_OPTIONS, type OrderOptions, optionFields } from './order-options.ts';

/** The initial draft of an order. */
export const EMPTY_DRAFT = {
  modelId: 'sketch',
  /** Whether the model is preselected, not chosen by the user. */
  isPreset: true,
  /** Only set values; the model chooses the others. */
  values: {} as Values,
  /** Options of every order, independent of the model. */
  options: NO_OPTIONS,
  /** The simulated outcome, with a test key. */
  simulate: null as { readonly outcome: string; readonly seconds: number } | null,
  /** Whether to explain how the prompt was understood, with a test key. */
  explain: false,
};

export type Draft = Readonly<typeof EMPTY_DRAFT>;

/** The draft, stored as long as the tab, whatever page is open. */
const draftStore = createTabStore<Draft>('darkroom.draft', EMPTY_DRAFT);

export function useDraft(): Draft {
  return useStore(draftStore);
}

export function setValue(name: string, value: JsonValue): void {
  const draft = draftStore.get();
  const { [name]: _, ...rest } = draft.values;
  draftStore.set({ ...draft, values: value === null ? rest : { ...rest, [name]: value } });
}

export function setValues(values: Values): void {
  draftStore.set({ ...draftStore.get(), values: withoutEmpty(values) });
}

export function setSimulate(simulate: Draft['simulate']): void {
  draftStore.set({ ...draftStore.get(), simulate });
}

export function setOptions(part: Partial<OrderOptions>): void {
  const draft = draftStore.get();
  draftStore.set({ ...draft, options: { ...draft.options, ...part } });
}

export function setExplain(explain: boolean): void {
  draftStore.set({ ...draftStore.get(), explain });
}

/**
 * Changes the model and keeps the values that it accepts.
 * @param isPreset whether it is preselected, not chosen by the user
 */
export function setModel(model: CatalogModel, isPreset = false): void {
  const draft = draftStore.get();
  draftStore.set({ ...draft, modelId: model.model_id, isPreset, values: valuesThatFit(draft.values, model) });
}

/** Starts another order for the same customer with the same price limit. */
export function setDraft(modelId: string, values: Values): void {
  draftStore.set({ ...draftStore.get(), modelId, isPreset: false, values: withoutEmpty(values), simulate: null });
}

/** Returns the input of a task that a user would set again. */
export function valuesOf(task: Task, model: CatalogModel | undefined): Values {
  const { model_id: _model, num_images: _count, ...input } = task.input as Record<string, JsonValue>;
  const isOwn = ([name, value]: [string, JsonValue]) =>
    model === undefined || (name in model.parameters && value !== (model.parameters[name]?.default ?? null));
  return withoutEmpty(Object.fromEntries(Object.entries(input).filter(isOwn)));
}

/** Returns the part of the body that determines the price. */
export function pricedBody({ modelId, values, options }: Pick<Draft, 'modelId' | 'values' | 'options'>): Values {
  return { model_id: modelId, ...withoutEmpty(values), ...consentFields(options) };
}

/** Returns the request body of the order. */
export function bodyOf(draft: Draft, mode: Mode): Values {
  const { options, simulate, explain } = draft;
  const rehearsal = { ...simulate, ...(explain ? { explain } : {}) };
  const isRehearsed = mode === 'test' && Object.keys(rehearsal).length > 0;
  return { ...pricedBody(draft), ...optionFields(options), ...(isRehearsed ? { simulate: rehearsal } : {}) };
}
