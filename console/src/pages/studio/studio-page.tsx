import { useMediaQuery } from '@mantine/hooks';
import { Suspense, useEffect, useRef } from 'react';
import { useParams } from 'wouter';
import { useTask } from '../../api/follow-task.ts';
import { recalledStore } from '../../api/recalled.ts';
import { useSession } from '../../api/session.ts';
import { useOrderableModels } from '../../api/use-models.ts';
import { ErrorNote } from '../../components/error-note.tsx';
import { lazyPart } from '../../components/lazy-part.ts';
import { useLoadedParts } from '../../components/loaded-parts.ts';
import { studioTexts } from '../../texts/studio.ts';
import { Composer } from './composer.tsx';
import { setModel, setValue, useDraft } from './draft.ts';
import { presetModel } from './preset-model.ts';
import { useRecent } from './recent-tasks.ts';
import classes from './studio.module.css';
import { useOrdering } from './use-ordering.ts';

const StudioBench = lazyPart(async () => (await import('./studio-bench.tsx')).StudioBench);
const BENCH = [StudioBench];

/** The Studio: the order form, the result, and the same request as code. */
export function StudioPage() {
  const { taskId = null } = useParams<{ taskId?: string }>();
  const { models, error } = useOrderableModels();
  const draft = useDraft();
  const ordering = useOrdering();
  const task = useTask(taskId);
  const { mode } = useSession();
  const recent = useRecent();
  const found = models?.find(({ model_id: id }) => id === draft.modelId);
  const isOpen = draft.isPreset || found === undefined;
  const preset =
    isOpen && models !== undefined && !recent.isPending ? presetModel(models, recent.tasks, mode) : undefined;
  const model = isOpen ? preset : found;
  const isBenchLoaded = useLoadedParts(BENCH);
  const stage = useRef<HTMLDivElement>(null);
  const isNarrow = useMediaQuery('(max-width: 62em)') ?? false;

  useEffect(() => {
    if (preset !== undefined && preset.model_id !== draft.modelId) setModel(preset, true);
  }, [preset, draft.modelId]);

  useEffect(() => {
    const recalled = recalledStore.get();
    if (recalled === null || model === undefined) return;
    recalledStore.set(null);
    if (recalled.name in model.parameters) setValue(recalled.name, recalled.value);
  }, [model]);

  // If the result is below the form, scrolls to it.
  useEffect(() => {
    if (taskId !== null && isNarrow) stage.current?.scrollIntoView({ behavior: 'smooth', block: 'start' });
  }, [taskId, isNarrow]);

  return (
    <div className={classes.studio}>
      <h1 className="visually-hidden">{studioTexts.heading}</h1>
      {error !== null && models === undefined ? (
        <ErrorNote error={error} />
      ) : (
        <Composer model={model} ordering={ordering} />
      )}
      <div className={classes.bench} ref={stage}>
        <Suspense>
          {isBenchLoaded && (
            <StudioBench
              taskId={taskId}
              task={task.data}
              error={task.error}
              models={models ?? []}
              model={model}
              ordering={ordering}
            />
          )}
        </Suspense>
      </div>
    </div>
  );
}
