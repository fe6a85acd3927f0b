import { Text } from '@mantine/core';
import { ConfirmModal } from '../../../components/confirm-modal.tsx';
import { ErrorNote } from '../../../components/error-note.tsx';
import { localTexts } from '../../../texts/local.ts';
import { type LocalModel, useLocalModel } from './use-local-models.ts';

/** Asks before the files of a model are deleted. */
export function RemoveModal({ model, onClose }: { readonly model: LocalModel; readonly onClose: () => void }) {
  const { remove } = useLocalModel(model.name);
  return (
    <ConfirmModal
      opened
      texts={{
        title: localTexts.removing.title(model.title),
        close: localTexts.close,
        keep: localTexts.keep,
        confirm: localTexts.removing.confirm,
      }}
      isBusy={remove.isPending}
      onClose={onClose}
      onConfirm={() => remove.mutate(undefined, { onSuccess: onClose })}
    >
      <Text size="sm">{localTexts.removing.text}</Text>
      {remove.error !== null && <ErrorNote title={localTexts.refused} error={remove.error} />}
    </ConfirmModal>
  );
}
