import type { JsonValue, TaskView as Task } from '@darkroom-service/contract';
import { Button, Group, Stack, Textarea } from '@mantine/core';
import { Suspense, useState } from 'react';
import type { ParameterSchema, Values } from '../../api/model.ts';
import { PlainButton } from '../../components/buttons.ts';
import { Dialog } from '../../components/dialog.tsx';
import { ParameterField } from '../../components/fields/parameter-field.tsx';
import { lazyPart } from '../../components/lazy-part.ts';
import { formatMoney } from '../../format.ts';
import { frameTexts } from '../../texts/frame.ts';
import { actionLabel } from '../../texts/studio-labels.ts';
import { useOrdering } from './order/use-ordering.ts';

const MaskEditor = lazyPart(async () => (await import('../../components/mask-editor.tsx')).MaskEditor);

export interface OfferedAction {
  readonly action: string;
  /** The tool that it orders; absent = it is of the task's own model. */
  readonly model_id?: string;
  readonly price: string;
  readonly parameters: Readonly<Record<string, ParameterSchema>>;
}

/** Asks for the fields of a follow-up, then orders it. For a region, the mask is painted first. */
export function ActionDialog({
  task,
  offer,
  onClose,
}: {
  readonly task: Task;
  readonly offer: OfferedAction;
  readonly onClose: () => void;
}) {
  const { followUp } = useOrdering();
  const [values, setValues] = useState<Values>(
    offer.action === 'remix' ? { prompt: String(task.input.prompt ?? '') } : {},
  );
  const set = (name: string, value: JsonValue) => setValues({ ...values, [name]: value });
  const place = (extra: Values = {}) => {
    followUp(task, offer, { ...values, ...extra });
    onClose();
  };
  const needsMask = 'mask_url' in offer.parameters;
  const isReady =
    (!('direction' in offer.parameters) || typeof values.direction === 'string') &&
    (offer.action !== 'remix' || String(values.prompt ?? '').trim() !== '');
  const fields = (
    <>
      {Object.entries(offer.parameters).map(([name, schema]) =>
        name === 'mask_url' ? null : name === 'prompt' ? (
          <Textarea
            key={name}
            dir="auto"
            label="Prompt"
            description={schema.description}
            value={typeof values.prompt === 'string' ? values.prompt : ''}
            onChange={({ currentTarget }) => set('prompt', currentTarget.value)}
            autosize
            minRows={2}
          />
        ) : (
          <ParameterField
            key={name}
            name={name}
            schema={schema}
            value={values[name] ?? null}
            onChange={(value) => set(name, value)}
            required={name === 'direction'}
          />
        ),
      )}
    </>
  );
  if (needsMask) {
    return (
      <Suspense>
        <MaskEditor
          source={`task:${task.task_id}`}
          onClose={onClose}
          onDone={(mask) => place({ mask_url: mask })}
          submitLabel={`${actionLabel(offer.action)} · ${formatMoney(offer.price)}`}
        >
          {fields}
        </MaskEditor>
      </Suspense>
    );
  }
  return (
    <Dialog onClose={onClose} title={actionLabel(offer.action)}>
      <Stack>
        {fields}
        <Group justify="flex-end">
          <PlainButton onClick={onClose}>{frameTexts.cancel}</PlainButton>
          <Button onClick={() => place()} disabled={!isReady}>
            {actionLabel(offer.action)} · {formatMoney(offer.price)}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
