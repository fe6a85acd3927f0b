import type { TaskView as Task } from '@darkroom-service/contract/task';
import { IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { isFinal } from '../../api/task-cache.ts';
import { ErrorNote } from '../../components/error-note.tsx';
import { BarButton } from '../../components/selection/bar-button.tsx';
import { selectionTexts as texts } from '../../texts/selection.ts';
import { deleteOrders } from './delete-orders.ts';

/** Deletes the selected orders that have ended. It can be undone for some minutes. */
export function DeleteSelection({ tasks }: { readonly tasks: readonly Task[] }) {
  const [done, setDone] = useState(0);
  const ended = tasks.filter(isFinal);
  const unfinished = tasks.length - ended.length;
  const remove = useMutation({
    mutationFn: (ids: readonly string[]) => deleteOrders(ids, setDone),
    onMutate: () => setDone(0),
  });
  const all = remove.variables?.length ?? 0;
  return (
    <>
      <BarButton
        label={texts.remove}
        icon={<IconTrash size={16} color="var(--mantine-color-error)" aria-hidden="true" />}
        loading={remove.isPending}
        disabled={ended.length === 0}
        onClick={() => remove.mutate(ended.map(({ task_id: id }) => id))}
      />
      {unfinished > 0 && <span>{texts.removeUnfinished(unfinished)}</span>}
      {remove.isPending && <span className="figures">{texts.removing(done, all)}</span>}
      {remove.error !== null && <ErrorNote title={texts.removeFailed(done, all)} error={remove.error} />}
    </>
  );
}
