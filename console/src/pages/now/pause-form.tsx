import { Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { DialogForm } from '../../components/dialog-form.tsx';
import { operationsTexts } from '../../texts/operations.ts';
import { type SwitchKind, useSwitch } from './use-switch.ts';

const texts = operationsTexts.pause;

/** Asks for a reason before an engine or a model is paused. */
export function PauseForm({
  kind,
  name,
  onClose,
}: {
  readonly kind: SwitchKind;
  readonly name: string;
  readonly onClose: () => void;
}) {
  const [reason, setReason] = useState('');
  const { pause } = useSwitch(kind);
  return (
    <DialogForm
      deed={pause}
      texts={{ submit: texts.submit, failed: operationsTexts.engines.failed }}
      onSubmit={() => pause.mutate({ name, reason: reason.trim() }, { onSuccess: onClose })}
      onClose={onClose}
    >
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
    </DialogForm>
  );
}
