import type { TaskView as Task } from '@darkroom-service/contract';
import { Group, Skeleton, Text } from '@mantine/core';
import { IconAlertTriangle, IconBan, IconPhotoOff } from '@tabler/icons-react';
import type { CatalogModel } from '../../api/model.ts';
import { isFinal } from '../../api/task-cache.ts';
import { useModel } from '../../api/use-models.ts';
import { PlainButton } from '../../components/buttons.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { promptOf } from '../../components/task-facts.ts';
import { Hint, Small } from '../../components/words.tsx';
import { inWords } from '../../texts/in-words.ts';
import { studioTexts } from '../../texts/studio.ts';
import { PROMPT_ID } from './composer.tsx';
import { Developing } from './developing.tsx';
import { setDraft, valuesOf } from './draft.ts';
import { AgainButton } from './order/again-button.tsx';
import { Result } from './result.tsx';
import classes from './stage.module.css';

const CANCELED = { title: 'Canceled', text: 'Nothing was charged.' };
const ERASED = {
  title: 'Its files were erased',
  text: 'The operator sets how long outputs are kept. Create it again if you need it.',
};

/** The stage: a running order, or its result. */
export function Stage({ task, error }: { readonly task: Task | undefined; readonly error: Error | null }) {
  return (
    <section className={classes.stage} aria-label="Result">
      <output className="visually-hidden">{task === undefined ? '' : inWords(task.status)}</output>
      {task !== undefined ? (
        <TaskOnStage key={task.task_id} task={task} />
      ) : error !== null ? (
        <div className={classes.note}>
          <ErrorNote error={error} title="Order not found" />
        </div>
      ) : (
        <div className={classes.note}>
          <Skeleton height="min(60dvh, 560px)" />
        </div>
      )}
    </section>
  );
}

function TaskOnStage({ task }: { readonly task: Task }) {
  if (!isFinal(task)) return <Developing task={task} />;
  if (task.status === 'failed') return <Failed task={task} />;
  const isCanceled = task.status === 'canceled';
  if (isCanceled || task.outputs.length === 0)
    return (
      <EmptyState
        {...(isCanceled ? CANCELED : ERASED)}
        icon={isCanceled ? IconBan : IconPhotoOff}
        color="var(--ink-soft)"
        action={<AgainButton task={task} label={studioTexts.failed.again} />}
      >
        <Quoted task={task} />
      </EmptyState>
    );
  return <Result task={task} />;
}

function Failed({ task }: { readonly task: Task }) {
  const texts = studioTexts.failed;
  const { error } = task;
  const model = useModel(task.model_id);
  const own = task.action === null ? model : undefined;
  const change = (model: CatalogModel) => {
    setDraft(model.model_id, valuesOf(task, model));
    document.getElementById(PROMPT_ID)?.focus();
  };
  return (
    <EmptyState
      icon={IconAlertTriangle}
      color="var(--mantine-color-error)"
      title="The order failed"
      text={error?.message ?? ''}
      action={
        <Group justify="center" gap="xs">
          {error?.retry !== 'never' && <AgainButton task={task} label={studioTexts.failed.again} />}
          {own !== undefined && <PlainButton onClick={() => change(own)}>Change the order</PlainButton>}
        </Group>
      }
    >
      <Quoted task={task} />
      <Hint maw="46ch">
        {texts.hints[error?.code ?? '']} {texts.notCharged}
      </Hint>
      <Small ff="monospace">{error?.code}</Small>
    </EmptyState>
  );
}

/** The prompt of the order. */
function Quoted({ task }: { readonly task: Task }) {
  const prompt = promptOf(task);
  if (prompt === '') return null;
  return (
    <Text maw="46ch" lineClamp={3} className={classes.quoted ?? ''} dir="auto">
      “{prompt}”
    </Text>
  );
}
