import type { TaskView as Task } from '@darkroom-service/contract/task';
import { Group, SimpleGrid, Skeleton, Text } from '@mantine/core';
import { IconAlertTriangle, IconBan, IconPhotoOff } from '@tabler/icons-react';
import { Link } from 'wouter';
import type { CatalogModel } from '../../api/model.ts';
import { nearUrl } from '../../api/service-url.ts';
import { isFinal } from '../../api/task-cache.ts';
import { BrandMark } from '../../components/brand-mark.tsx';
import { PlainButton } from '../../components/buttons.ts';
import { dragTask } from '../../components/dragged.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { hasResult, promptOf } from '../../components/task-facts.ts';
import { Hint, Small } from '../../components/words.ts';
import { studioTexts } from '../../texts/studio.ts';
import { AgainButton } from './again-button.tsx';
import { PROMPT_ID } from './composer.tsx';
import { Developing } from './developing.tsx';
import { setDraft, setValue, useDraft, valuesOf } from './draft.ts';
import { DRAWN_BY, DRAWN_EXAMPLES } from './drawn-examples.ts';
import { ExampleCard } from './example-card.tsx';
import { useRecent } from './recent-tasks.ts';
import { Result } from './result.tsx';
import classes from './stage.module.css';
import type { StageProps } from './stage-props.ts';

/** The stage: a running order, its result, or examples to start with. */
export function Stage({
  taskId,
  task,
  error,
  models,
  ordering,
}: Omit<StageProps, 'task'> & {
  readonly taskId: string | null;
  readonly task: Task | undefined;
  readonly error: Error | null;
}) {
  return (
    <section className={classes.stage} aria-label={studioTexts.stage}>
      <output className="visually-hidden">{task === undefined ? '' : studioTexts.status[task.status]}</output>
      {taskId === null ? (
        <Beginning />
      ) : task !== undefined ? (
        <TaskOnStage key={task.task_id} task={task} models={models} ordering={ordering} />
      ) : error !== null ? (
        <div className={classes.note}>
          <ErrorNote error={error} title={studioTexts.taskMissing} />
        </div>
      ) : (
        <div className={classes.note}>
          <Skeleton height="min(60dvh, 560px)" />
        </div>
      )}
    </section>
  );
}

function TaskOnStage({ task, models, ordering }: StageProps) {
  if (!isFinal(task)) return <Developing task={task} models={models} ordering={ordering} />;
  if (task.status === 'failed') return <Failed task={task} models={models} ordering={ordering} />;
  if (task.status === 'canceled')
    return (
      <EmptyState
        {...studioTexts.canceled}
        icon={IconBan}
        color="var(--ink-soft)"
        action={<AgainButton task={task} ordering={ordering} label={studioTexts.failed.again} />}
      >
        <Quoted task={task} />
      </EmptyState>
    );
  if (task.outputs.length === 0)
    return (
      <EmptyState
        {...studioTexts.expired}
        icon={IconPhotoOff}
        color="var(--ink-soft)"
        action={<AgainButton task={task} ordering={ordering} label={studioTexts.failed.again} />}
      >
        <Quoted task={task} />
      </EmptyState>
    );
  return <Result task={task} models={models} ordering={ordering} />;
}

function Failed({ task, models, ordering }: StageProps) {
  const texts = studioTexts.failed;
  const { error } = task;
  const own = task.action === null ? models.find(({ model_id: id }) => id === task.model_id) : undefined;
  const change = (model: CatalogModel) => {
    setDraft(model.model_id, valuesOf(task, model));
    document.getElementById(PROMPT_ID)?.focus();
  };
  return (
    <EmptyState
      icon={IconAlertTriangle}
      color="var(--mantine-color-error)"
      title={texts.title}
      text={error?.message ?? ''}
      action={
        <Group justify="center" gap="xs">
          {error?.retry !== 'never' && <AgainButton task={task} ordering={ordering} label={studioTexts.failed.again} />}
          {own !== undefined && <PlainButton onClick={() => change(own)}>{texts.change}</PlainButton>}
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
function Quoted({ task }: Pick<StageProps, 'task'>) {
  const prompt = String(task.input.prompt ?? '');
  if (prompt === '') return null;
  return (
    <Text maw="46ch" lineClamp={3} className={classes.quoted ?? ''} dir="auto">
      {studioTexts.quoted(prompt)}
    </Text>
  );
}

const OWN_SHOWN = 10;
const LargeMark = () => <BrandMark size={52} />;

function Beginning() {
  const { title, text, prompts } = studioTexts.empty;
  const isDrawn = useDraft().modelId === DRAWN_BY;
  const { tasks, isPending } = useRecent();
  const own = tasks.flatMap((task) => {
    const [output] = hasResult(task) ? task.outputs : [];
    return output?.thumbnail_url == null ? [] : [{ task, output, picture: output.thumbnail_url }];
  });
  const begin = (example: string) => {
    setValue('prompt', example);
    document.getElementById(PROMPT_ID)?.focus();
  };
  // What comes later would push away what is there.
  if (isPending)
    return (
      <div className={classes.note}>
        <Skeleton height="min(60dvh, 560px)" />
      </div>
    );
  return (
    <EmptyState title={title} text={own.length > 0 ? studioTexts.ownText : isDrawn ? text : prompts} icon={LargeMark}>
      {own.length > 0 ? (
        <nav className={classes.own} aria-label={studioTexts.own}>
          {own.slice(0, OWN_SHOWN).map(({ task, output: { width, height }, picture }) => (
            <Link key={task.task_id} href={`/t/${task.task_id}`} {...dragTask(task.task_id)}>
              <img
                src={nearUrl(picture)}
                width={width ?? undefined}
                height={height ?? undefined}
                alt={promptOf(task) || task.model_id}
              />
            </Link>
          ))}
        </nav>
      ) : (
        <SimpleGrid cols={{ base: 1, lg: 3 }} maw={860} mt="md">
          {DRAWN_EXAMPLES.map(({ prompt, picture }) => (
            <ExampleCard
              key={prompt}
              prompt={prompt}
              {...(isDrawn ? { picture } : {})}
              onChoose={() => begin(prompt)}
            />
          ))}
        </SimpleGrid>
      )}
    </EmptyState>
  );
}
