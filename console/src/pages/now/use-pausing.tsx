import { Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { perform } from '../../api/deeds.ts';
import { useDeed } from '../../api/use-deed.ts';
import { DialogForm } from '../../components/dialog-form.tsx';
import type { RowDeed } from '../../components/list-panel.tsx';
import { operationsTexts } from '../../texts/operations.ts';

const texts = operationsTexts.engines;
type Kind = keyof typeof DEEDS;

const DEEDS = {
  engine: { pause: 'POST /admin/v1/engines/{name}/pause', resume: 'POST /admin/v1/engines/{name}/resume' },
  model: { pause: 'POST /admin/v1/models/{name}/pause', resume: 'POST /admin/v1/models/{name}/resume' },
} as const;

interface Pausable {
  readonly name: string;
  readonly model_id?: string;
  readonly paused: boolean;
}

/** Pausing and resuming engines or models, for the rows of their list. */
export function usePausing<Row extends Pausable>(kind: Kind): readonly RowDeed<Row>[] {
  const resume = useDeed((row: Row) =>
    perform(DEEDS[kind].resume, { path: { name: idOf(row) } }, texts.resumeOf(idOf(row))),
  );
  return [
    {
      word: texts.resume,
      name: ({ name }) => texts.resumeOf(name),
      isOffered: ({ paused }) => paused,
      isMain: true,
      deed: resume,
      failed: texts.failed,
    },
    {
      word: texts.pause,
      name: ({ name }) => texts.pauseOf(name),
      title: (row) => operationsTexts.pause.title(idOf(row)),
      isOffered: ({ paused }) => !paused,
      form: (row, onClose) => <PauseForm kind={kind} name={idOf(row)} onClose={onClose} />,
    },
  ];
}

function idOf({ name, model_id: id = name }: Pausable): string {
  return id;
}

/** Asks for a reason before an engine or a model is paused. */
function PauseForm({
  kind,
  name,
  onClose,
}: {
  readonly kind: Kind;
  readonly name: string;
  readonly onClose: () => void;
}) {
  const [reason, setReason] = useState('');
  const told = reason.trim();
  const pause = useDeed(
    () =>
      perform(DEEDS[kind].pause, { path: { name }, body: told === '' ? {} : { reason: told } }, texts.pauseOf(name)),
    onClose,
  );
  return (
    <DialogForm deed={pause} texts={{ submit: 'Pause', failed: texts.failed }} onClose={onClose}>
      <Text size="sm">New orders are refused with 503 and can be sent again later. Orders in progress continue.</Text>
      <TextInput
        label="Reason"
        description="Shown in this list and in the audit log"
        placeholder="Upstream is down until 14:00"
        maxLength={500}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
        data-autofocus
      />
    </DialogForm>
  );
}
