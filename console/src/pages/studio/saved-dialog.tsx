import { CloseButton, Group, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { CatalogModel } from '../../api/model.ts';
import { useOrderableModels } from '../../api/use-models.ts';
import { PlainButton } from '../../components/buttons.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Hint, Small } from '../../components/words.ts';
import { studioTexts } from '../../texts/studio.ts';
import { setModel, setValue, setValues, useDraft } from './draft.ts';
import { type Preset, removePreset, savePreset, usePresets, withPreset } from './presets.ts';
import { usePromptHistory } from './prompt-history.ts';
import classes from './studio.module.css';

const texts = studioTexts.saved;
const LONGEST_NAME = 60;

/** The presets of the key in use and its earlier prompts, to choose from. */
export function SavedDialog({ model, onClose }: { readonly model: CatalogModel; readonly onClose: () => void }) {
  const prompts = usePromptHistory();
  const choose = (prompt: string) => {
    setValue('prompt', prompt);
    onClose();
  };
  return (
    <Dialog onClose={onClose} title={texts.title}>
      <Stack gap="lg">
        <Presets model={model} onClose={onClose} />
        <Stack component="section" gap={6} aria-label={texts.prompts}>
          <Text fw={600}>{texts.prompts}</Text>
          <Hint>{prompts.length === 0 ? texts.noPrompts : texts.promptsHint}</Hint>
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
        <Small>{texts.kept}</Small>
      </Stack>
    </Dialog>
  );
}

function Presets({ model, onClose }: { readonly model: CatalogModel; readonly onClose: () => void }) {
  const { values } = useDraft();
  const { models = [] } = useOrderableModels();
  const presets = usePresets();
  const [name, setName] = useState('');
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === '') return;
    savePreset(name.trim(), model, values);
    setName('');
  };
  const apply = (preset: Preset, chosen: CatalogModel) => {
    setModel(chosen);
    setValues(withPreset(chosen, values, preset));
    onClose();
  };
  return (
    <Stack component="section" gap={6} aria-label={texts.presets}>
      <Text fw={600}>{texts.presets}</Text>
      <form onSubmit={save}>
        <Group gap="xs" align="end" wrap="nowrap">
          <TextInput
            flex={1}
            label={texts.name}
            value={name}
            maxLength={LONGEST_NAME}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            data-autofocus
          />
          <PlainButton type="submit" disabled={name.trim() === ''}>
            {texts.save}
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
              <CloseButton size="sm" aria-label={texts.remove(preset.name)} onClick={() => removePreset(preset.name)} />
            </li>
          );
        })}
      </ul>
    </Stack>
  );
}
