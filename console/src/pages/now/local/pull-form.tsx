import { Select, Text } from '@mantine/core';
import { useState } from 'react';
import { DialogForm } from '../../../components/dialog-form.tsx';
import { Agreement } from '../../../components/toggle.tsx';
import { localTexts } from '../../../texts/local.ts';
import { sizeOf } from './model-card.tsx';
import { type LocalModel, useLocalModel } from './use-local-models.ts';

const NONE = 'none';

/** Asks for what a pull needs: the build, and the operator's agreement. */
export function PullForm({
  model,
  memoryBytes,
  onClose,
}: {
  readonly model: LocalModel;
  /** Of the machine; null = not known. */
  readonly memoryBytes: number | null;
  readonly onClose: () => void;
}) {
  const { name, licence, builds } = model;
  const isKnown = model.build !== null && builds.includes(model.build);
  const [build, setBuild] = useState(isKnown && model.build !== null ? model.build : (builds[0] ?? NONE));
  const [isAccepted, setAccepted] = useState(false);
  const [usesUnverified, setUsesUnverified] = useState(false);
  const [ignoresMemory, setIgnoresMemory] = useState(false);
  const { pull } = useLocalModel(name);
  const isTooLarge = memoryBytes !== null && model.memory_bytes !== null && model.memory_bytes > memoryBytes;
  const hasUnverified = (model.failure?.unverified.length ?? 0) > 0;
  const submit = () =>
    pull.mutate(
      {
        build,
        ...(isAccepted ? { accept_licence: true } : {}),
        ...(usesUnverified ? { accept_unverified: true } : {}),
        ...(ignoresMemory ? { ignore_memory: true } : {}),
      },
      { onSuccess: onClose },
    );
  return (
    <DialogForm
      deed={pull}
      texts={{ submit: 'Pull', failed: localTexts.refused }}
      isReady={(!licence.must_be_accepted || isAccepted) && (!isTooLarge || ignoresMemory)}
      onSubmit={submit}
      onClose={onClose}
    >
      <Text size="sm">{`${sizeOf(model)} are downloaded to this machine. Licence: ${licence.id}.`}</Text>
      <Select
        label="Build of the engine"
        description="The first one suits this machine best."
        data={[
          ...builds.map((value) => ({ value, label: value })),
          { value: NONE, label: 'none (use your own sd-server)' },
        ]}
        value={build}
        allowDeselect={false}
        onChange={(value) => setBuild(value ?? NONE)}
      />
      {licence.must_be_accepted && (
        <Agreement label={`I have read the ${licence.id} and accept it`} isOn={isAccepted} onChange={setAccepted} />
      )}
      {hasUnverified && (
        <Agreement
          label="Use the facts that only the hub tells"
          description="Nobody has checked them. They are locked for each later pull."
          isOn={usesUnverified}
          onChange={setUsesUnverified}
        />
      )}
      {isTooLarge && (
        <Agreement
          label="Pull it although it needs more memory than this machine has"
          isOn={ignoresMemory}
          onChange={setIgnoresMemory}
        />
      )}
    </DialogForm>
  );
}
