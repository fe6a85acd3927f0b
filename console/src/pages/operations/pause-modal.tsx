import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { ErrorNote } from '../../components/error-note.tsx';
import { operationsTexts } from '../../texts/operations.ts';
import { type SwitchKind, useSwitch } from './use-switch.ts';

const texts = operationsTexts.pause;

/** Asks for a reason before an engine or a model is paused. */
export function PauseModal({
  kind,
  name,
  onClose,
}: {
  readonly kind: SwitchKind;
  readonly name: string | null;
  readonly onClose: () => void;
}) {
  const [reason, setReason] = useState('');
  const { pause } = useSwitch(kind);
  const close = () => {
    pause.reset();
    onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name === null) return;
    pause.mutate(
      { name, reason: reason.trim() },
      {
        onSuccess: () => {
          setReason('');
          onClose();
        },
      },
    );
  };
  return (
    <Modal
      opened={name !== null}
      onClose={close}
      title={texts.title(name ?? '')}
      closeButtonProps={{ 'aria-label': operationsTexts.close }}
      centered
    >
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm">{texts.text}</Text>
          <TextInput
            label={texts.reason}
            description={texts.reasonHint}
            placeholder={texts.placeholder}
            maxLength={500}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
            data-autofocus
          />
          {pause.error !== null && <ErrorNote title={operationsTexts.engines.failed} error={pause.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {operationsTexts.cancel}
            </Button>
            <Button type="submit" loading={pause.isPending}>
              {texts.submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
