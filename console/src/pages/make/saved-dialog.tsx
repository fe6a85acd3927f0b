import { CloseButton, Group, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { changeKeptList, type KeptList, useKeptList } from '../../api/kept-list.ts';
import { type CatalogModel, mediaParameter, type Values } from '../../api/model.ts';
import { useOrderableModels } from '../../api/use-models.ts';
import { PlainButton } from '../../components/buttons.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Hint, Small } from '../../components/words.tsx';
import { setModel, setValue, setValues, useDraft } from './draft.ts';
import classes from './make.module.css';
import { usePromptHistory } from './prompt-history.ts';

const LONGEST_NAME = 60;
const MOST = 50;
const list: KeptList<Preset> = {
  name: 'presets',
  isItem: (value): value is Preset =>
    typeof value === 'object' && value !== null && 'name' in value && 'modelId' in value && 'values' in value,
};

/** A model with its settings under a name, without prompt and media. */
interface Preset {
  readonly name: string;
  readonly modelId: string;
  readonly values: Values;
}

/** The presets of the key in use and its earlier prompts, to choose from. */
export function SavedDialog({ model, onClose }: { readonly model: CatalogModel; readonly onClose: () => void }) {
  const prompts = usePromptHistory();
  const choose = (prompt: string) => {
    setValue('prompt', prompt);
    onClose();
  };
  return (
    <Dialog onClose={onClose} title="Presets and prompts">
      <Stack gap="lg">
        <Presets model={model} onClose={onClose} />
        <Stack component="section" gap={6} aria-label="Earlier prompts">
          <Text fw={600}>Earlier prompts</Text>
          <Hint>
            {prompts.length === 0
              ? 'The prompts of your orders appear here.'
              : 'The arrow key up in the empty prompt also shows them.'}
          </Hint>
          <ul className={classes.saved}>
            {prompts.map((prompt) => (
              <li key={prompt}>
                <button type="button" dir="auto" className={classes.savedItem} onClick={() => choose(prompt)}>
                  {prompt}
                </button>
              </li>
            ))}
          </ul>
        </Stack>
        <Small>Kept in this browser for this key, until you sign out.</Small>
      </Stack>
    </Dialog>
  );
}

function Presets({ model, onClose }: { readonly model: CatalogModel; readonly onClose: () => void }) {
  const { values } = useDraft();
  const { models = [] } = useOrderableModels();
  const presets = useKeptList(list);
  const [name, setName] = useState('');
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === '') return;
    const preset = { name: name.trim(), modelId: model.model_id, values: partOf(values, model, true) };
    changeKeptList(list, (known) =>
      [preset, ...known.filter((one) => one.name !== preset.name)]
        .slice(0, MOST)
        .sort((left, right) => left.name.localeCompare(right.name)),
    );
    setName('');
  };
  const remove = (preset: Preset) => changeKeptList(list, (known) => known.filter((one) => one.name !== preset.name));
  const apply = (preset: Preset, chosen: CatalogModel) => {
    setModel(chosen);
    setValues({ ...partOf(values, chosen, false), ...preset.values });
    onClose();
  };
  return (
    <Stack component="section" gap={6} aria-label="Presets">
      <Text fw={600}>Presets</Text>
      <form onSubmit={save}>
        <Group gap="xs" align="end" wrap="nowrap">
          <TextInput
            flex={1}
            label="Name for the current model and settings"
            value={name}
            maxLength={LONGEST_NAME}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            data-autofocus
          />
          <PlainButton type="submit" disabled={name.trim() === ''}>
            Save
          </PlainButton>
        </Group>
      </form>
      <ul className={classes.saved}>
        {presets.map((preset) => {
          const chosen = models.find(({ model_id: id }) => id === preset.modelId);
          return (
            <li key={preset.name}>
              <button
                type="button"
                dir="auto"
                className={classes.savedItem}
                disabled={chosen === undefined}
                onClick={() => chosen !== undefined && apply(preset, chosen)}
              >
                {preset.name} <span className={classes.savedModel}>{chosen?.name ?? preset.modelId}</span>
              </button>
              <CloseButton size="sm" aria-label={`Remove the preset ${preset.name}`} onClick={() => remove(preset)} />
            </li>
          );
        })}
      </ul>
    </Stack>
  );
}

/** Returns the settings among the values of a form, or the prompt and the media, which no preset has. */
function partOf(values: Values, model: CatalogModel, isSettings: boolean): Values {
  const isSetting = (name: string) => name !== 'prompt' && mediaParameter(model, name) === null;
  return Object.fromEntries(Object.entries(values).filter(([name]) => isSetting(name) === isSettings));
}
