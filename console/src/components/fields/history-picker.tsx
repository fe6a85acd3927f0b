import type { TaskView as Task } from '@darkroom-service/contract';
import { SimpleGrid, Skeleton } from '@mantine/core';
import { nearUrl } from '../../api/service-url.ts';
import { useApi } from '../../api/use-api.ts';
import { Dialog } from '../dialog.tsx';
import { EmptyState } from '../empty-state.tsx';
import { ErrorNote } from '../error-note.tsx';
import { altOf } from '../task-facts.ts';
import classes from './history-picker.module.css';

const SHOWN = 60;
const PLACES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'];

/** Lists finished images or videos of this key to choose as references. */
export function HistoryPicker({
  kind,
  onClose,
  onPicked,
}: {
  readonly kind: Task['type'];
  readonly onClose: () => void;
  readonly onPicked: (taskId: string) => void;
}) {
  const { data, error, refetch } = useApi(kind === 'video' ? 'GET /v1/videos' : 'GET /v1/images', {
    query: { status: 'succeeded', limit: SHOWN },
  });
  const pictures = data?.items.filter(({ outputs }) => outputs[0]?.thumbnail_url != null);
  const pick = (taskId: string) => {
    onPicked(taskId);
    onClose();
  };
  return (
    <Dialog onClose={onClose} size="xl" title={`Choose from your ${kind}s`} centered={false}>
      <ErrorNote error={error} onRetry={() => void refetch()} />
      {pictures?.length === 0 && (
        <EmptyState
          title={`You have made no ${kind}s yet`}
          text="Create one first; it appears here and can be used as a reference."
        />
      )}
      <SimpleGrid cols={{ base: 3, sm: 5 }} spacing="xs">
        {pictures === undefined && error === null
          ? PLACES.map((place) => <Skeleton key={place} className={classes.place ?? ''} />)
          : pictures?.map((task) => (
              <button key={task.task_id} type="button" className={classes.place} onClick={() => pick(task.task_id)}>
                <img src={nearUrl(task.outputs[0]?.thumbnail_url ?? '')} alt={altOf(task)} loading="lazy" />
              </button>
            ))}
      </SimpleGrid>
    </Dialog>
  );
}
