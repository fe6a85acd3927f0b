import { useMutation } from '@tanstack/react-query';
import { perform } from '../api/deeds.ts';
import { refresh } from '../api/use-api.ts';
import { modelTexts } from '../texts/models.ts';
import { SmallButton } from './buttons.ts';
import { ErrorNote } from './error-note.tsx';

const texts = modelTexts.examples;

/** A button that shows an order as an example of its model, or ends that. */
export function ExampleMark({
  taskId,
  isExample,
  label,
}: {
  readonly taskId: string;
  readonly isExample: boolean;
  /** What a screen reader says instead of the button's word, where there are several. */
  readonly label?: string;
}) {
  const word = isExample ? texts.unmark : texts.mark;
  const deed = useMutation({
    mutationFn: async () => {
      const request = { path: { task_id: taskId } };
      if (isExample) await perform('DELETE /admin/v1/tasks/{task_id}/example', request);
      else await perform('PUT /admin/v1/tasks/{task_id}/example', request);
    },
    onSettled: () => refresh('GET /admin/v1/examples', 'GET /v1/models/{model_id}/examples', 'GET /admin/v1/audit'),
  });
  return (
    <>
      <SmallButton aria-label={label ?? word} loading={deed.isPending} onClick={() => deed.mutate()}>
        {word}
      </SmallButton>
      {deed.error !== null && <ErrorNote title={texts.failed} error={deed.error} />}
    </>
  );
}
