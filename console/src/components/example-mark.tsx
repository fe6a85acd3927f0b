import { perform, useDeed } from '../api/deeds.ts';
import { SmallButton } from './buttons.ts';
import { ErrorNote } from './error-note.tsx';

/** A button that marks an order as an example of its model, or unmarks it. */
export function ExampleMark({
  taskId,
  isExample,
  label,
}: {
  readonly taskId: string;
  readonly isExample: boolean;
  /** Accessible name that replaces the button's label where there are several buttons. */
  readonly label?: string;
}) {
  const word = isExample ? 'No longer an example' : 'Show as example';
  const action = useDeed(async () => {
    const request = { path: { task_id: taskId } };
    if (isExample) await perform('DELETE /admin/v1/tasks/{task_id}/example', request);
    else await perform('PUT /admin/v1/tasks/{task_id}/example', request);
  });
  return (
    <>
      <SmallButton aria-label={label ?? word} loading={action.isPending} onClick={() => action.mutate()}>
        {word}
      </SmallButton>
      <ErrorNote title="This did not work" error={action.error} />
    </>
  );
}
