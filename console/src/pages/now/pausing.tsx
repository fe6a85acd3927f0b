import { Text } from '@mantine/core';
import { perform } from '../../api/deeds.ts';
import { DeedForm } from '../../components/dialog.tsx';
import { RequestFields } from '../../components/fields/request-fields.tsx';
import { useRequestForm } from '../../components/fields/request-form.ts';
import type { RowDeed } from '../../components/list-panel.tsx';

type Kind = keyof typeof DEEDS;

const DEEDS = {
  engine: { pause: 'POST /admin/v1/engines/{name}/pause', resume: 'POST /admin/v1/engines/{name}/resume' },
  model: { pause: 'POST /admin/v1/models/{name}/pause', resume: 'POST /admin/v1/models/{name}/resume' },
} as const;
const FAILED = 'The request failed';

interface Pausable {
  readonly name: string;
  readonly model_id?: string;
  readonly paused: boolean;
}

/** Returns the deeds that pause and resume engines or models, for the rows of their list. */
export function pausing<Row extends Pausable>(kind: Kind): readonly RowDeed<Row>[] {
  return [
    {
      word: 'Resume',
      name: ({ name }) => `Resume ${name}`,
      isOffered: ({ paused }) => paused,
      isMain: true,
      act: (row) => perform(DEEDS[kind].resume, { path: { name: idOf(row) } }, `Resume ${idOf(row)}`),
      failed: FAILED,
    },
    {
      word: 'Pause',
      name: ({ name }) => `Pause ${name}`,
      title: (row) => `Pause ${idOf(row)}?`,
      isOffered: ({ paused }) => !paused,
      form: (row) => <PauseForm kind={kind} name={idOf(row)} />,
    },
  ];
}

function idOf({ name, model_id: id = name }: Pausable): string {
  return id;
}

/** Asks for a reason before an engine or a model is paused. */
function PauseForm({ kind, name }: { readonly kind: Kind; readonly name: string }) {
  const form = useRequestForm(DEEDS[kind].pause, { name });
  return (
    <DeedForm act={() => perform(form.operation, form.request, `Pause ${name}`)} submit="Pause" failed={FAILED}>
      <Text size="sm">New orders are refused with 503 and can be sent again later. Orders in progress continue.</Text>
      <RequestFields form={form} rows={['reason']} autoFocus />
    </DeedForm>
  );
}
