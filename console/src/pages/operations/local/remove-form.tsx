import { Text } from '@mantine/core';
import { DialogForm } from '../../../components/dialog-form.tsx';
import { localTexts } from '../../../texts/local.ts';
import { type LocalModel, useLocalModel } from './use-local-models.ts';

/** Asks before the files of a model are deleted. */
export function RemoveForm({ model, onClose }: { readonly model: LocalModel; readonly onClose: () => void }) {
  const { remove } = useLocalModel(model.name);
  return (
    <DialogForm
      deed={remove}
      texts={{ submit: localTexts.removing.confirm, failed: localTexts.refused }}
      isGrave
      onSubmit={() => remove.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    >
      <Text size="sm">{localTexts.removing.text}</Text>
    </DialogForm>
  );
}
