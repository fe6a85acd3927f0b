import type { TaskView as Task } from '@darkroom-service/contract/task';
import type { CatalogModel } from '../../api/model.ts';
import { CodePanel } from './code-panel.tsx';
import { useDraft } from './draft.ts';
import { RecentStrip } from './recent-strip.tsx';
import { Stage } from './stage.tsx';
import type { Ordering } from './use-ordering.ts';

/** What stands beside the form: the result, the recent ones, and the same request as code. */
export function StudioBench({
  taskId,
  task,
  error,
  models,
  model,
  ordering,
}: {
  readonly taskId: string | null;
  readonly task: Task | undefined;
  readonly error: Error | null;
  readonly models: readonly CatalogModel[];
  readonly model: CatalogModel | undefined;
  readonly ordering: Ordering;
}) {
  const draft = useDraft();
  return (
    <>
      <Stage taskId={taskId} task={task} error={error} models={models} ordering={ordering} />
      <RecentStrip current={taskId} />
      <CodePanel model={model} draft={draft} />
    </>
  );
}
