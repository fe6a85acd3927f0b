import { Button, Group } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { Link } from 'wouter';
import type { Task } from '../../api/types.ts';
import classes from '../../components/compare/compare.module.css';
import { FullDialog } from '../../components/compare/full-dialog.tsx';
import { Picture } from '../../components/compare/picture.tsx';
import { factsOf, promptOf } from '../../components/task-facts.ts';
import { lightTexts } from '../../texts/light.ts';
import { fieldLabel } from '../../texts/studio-labels.ts';

const texts = lightTexts.large;
const NOT_SHOWN = ['model_id', 'num_images'];

/** One result as large as the window, with its settings. The arrow keys go on to the next. */
export function LargeResult({
  tasks,
  taskId,
  nameOf,
  onMove,
  onClose,
}: {
  /** The results to go through. */
  readonly tasks: readonly Task[];
  readonly taskId: string;
  readonly nameOf: (modelId: string) => string;
  readonly onMove: (taskId: string) => void;
  readonly onClose: () => void;
}) {
  const index = tasks.findIndex(({ task_id: id }) => id === taskId);
  const task = tasks[index];
  const previous = tasks[index - 1]?.task_id;
  const next = tasks[index + 1]?.task_id;
  useWindowEvent('keydown', ({ key }) => {
    if (key === 'ArrowLeft' && previous !== undefined) onMove(previous);
    if (key === 'ArrowRight' && next !== undefined) onMove(next);
  });
  if (task === undefined) return null;
  const name = nameOf(task.model_id);
  const { price, seconds, size } = factsOf(task);
  const settings = Object.entries(task.input).filter(
    ([field, value]) => !NOT_SHOWN.includes(field) && value !== null && typeof value !== 'object',
  );
  return (
    <FullDialog title={name} onClose={onClose}>
      <div className={classes.large}>
        <div className={classes.stage}>
          <Picture key={taskId} task={task} alt={`${name}: ${promptOf(task)}`} />
        </div>
        <section className={classes.settings} aria-label={texts.settings}>
          <p className="figures">{[price, seconds, size].filter((fact) => fact !== null).join(' · ')}</p>
          <dl>
            {settings.map(([field, value]) => (
              <div key={field}>
                <dt>{fieldLabel(field)}</dt>
                <dd dir="auto">{String(value)}</dd>
              </div>
            ))}
          </dl>
          <p>
            <Link href={`/t/${task.task_id}`}>{task.task_id}</Link>
          </p>
        </section>
      </div>
      <Group justify="center" gap="xs">
        <Button
          variant="default"
          size="xs"
          disabled={previous === undefined}
          onClick={() => previous !== undefined && onMove(previous)}
        >
          {texts.previous}
        </Button>
        <Button
          variant="default"
          size="xs"
          disabled={next === undefined}
          onClick={() => next !== undefined && onMove(next)}
        >
          {texts.next}
        </Button>
      </Group>
    </FullDialog>
  );
}
