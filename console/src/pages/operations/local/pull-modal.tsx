import { Button, Checkbox, Group, Modal, Select, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { ErrorNote } from '../../../components/error-note.tsx';
import { localTexts } from '../../../texts/local.ts';
import { sizeOf } from './model-card.tsx';
import { type LocalModel, useLocalModel } from './use-local-models.ts';

const texts = localTexts.ask;
const NONE = 'none';

/** Asks for what a pull needs: the build, and the operator's agreement. */
export function PullModal({
  model,
  memoryBytes,
  onClose,
}: {
  readonly model: LocalModel;
  /** Of the machine; null = not known. */
  readonly memoryBytes: number | null;
  readonly onClose: () => void;
}) {
  const { name, title, licence, builds } = model;
  const isKnown = model.build !== null && builds.includes(model.build);
  const [build, setBuild] = useState(isKnown && model.build !== null ? model.build : (builds[0] ?? NONE));
  const [isAccepted, setAccepted] = useState(false);
  const [usesUnverified, setUsesUnverified] = useState(false);
  const [ignoresMemory, setIgnoresMemory] = useState(false);
  const { pull } = useLocalModel(name);
  const isTooLarge = memoryBytes !== null && model.memory_bytes !== null && model.memory_bytes > memoryBytes;
  const hasUnverified = (model.failure?.unverified.length ?? 0) > 0;
  const isReady = (!licence.must_be_accepted || isAccepted) && (!isTooLarge || ignoresMemory);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    pull.mutate(
      {
        build,
        ...(isAccepted ? { accept_licence: true } : {}),
        ...(usesUnverified ? { accept_unverified: true } : {}),
        ...(ignoresMemory ? { ignore_memory: true } : {}),
      },
      { onSuccess: onClose },
    );
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={texts.title(title)}
      closeButtonProps={{ 'aria-label': localTexts.close }}
      centered
    >
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm">{texts.size(sizeOf(model), licence.id)}</Text>
          <Select
            label={texts.build}
            description={texts.buildHint}
            data={[...builds.map((value) => ({ value, label: value })), { value: NONE, label: texts.none }]}
            value={build}
            allowDeselect={false}
            onChange={(value) => setBuild(value ?? NONE)}
          />
          {licence.must_be_accepted && (
            <Checkbox
              label={texts.accept(licence.id)}
              checked={isAccepted}
              onChange={(event) => setAccepted(event.currentTarget.checked)}
            />
          )}
          {hasUnverified && (
            <Checkbox
              label={texts.unverified}
              description={texts.unverifiedHint}
              checked={usesUnverified}
              onChange={(event) => setUsesUnverified(event.currentTarget.checked)}
            />
          )}
          {isTooLarge && (
            <Checkbox
              label={texts.memory}
              checked={ignoresMemory}
              onChange={(event) => setIgnoresMemory(event.currentTarget.checked)}
            />
          )}
          {pull.error !== null && <ErrorNote title={localTexts.refused} error={pull.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {localTexts.keep}
            </Button>
            <Button type="submit" loading={pull.isPending} disabled={!isReady}>
              {texts.confirm}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
