import type { TaskView as Task } from '@darkroom-service/contract/task';
import { Group } from '@mantine/core';
import { useState } from 'react';
import { lightTexts } from '../../texts/light.ts';
import { SmallButton } from '../buttons.ts';
import classes from './compare.module.css';
import { CompareTwo, Side } from './compare-two.tsx';
import { FullDialog } from './full-dialog.tsx';
import { Picture } from './picture.tsx';
import { SIDES } from './sides.ts';

const texts = lightTexts.compare;

/** Two to four results: side by side, or two one over the other with a divider. */
export function Compare({
  tasks,
  nameOf,
  onClose,
}: {
  readonly tasks: readonly Task[];
  readonly nameOf: (modelId: string) => string;
  readonly onClose: () => void;
}) {
  const [isSplit, setSplit] = useState(false);
  const [first, second] = tasks;
  const isPair = tasks.length === 2 && first !== undefined && second !== undefined;
  return (
    <FullDialog title={texts.title} onClose={onClose}>
      {isPair && (
        <Group justify="center">
          <SmallButton aria-pressed={isSplit} onClick={() => setSplit(!isSplit)}>
            {texts.sideBySide}
          </SmallButton>
        </Group>
      )}
      {isPair && !isSplit ? (
        <CompareTwo tasks={[first, second]} nameOf={nameOf} />
      ) : (
        <div className={classes.several} data-count={tasks.length}>
          {tasks.map((task, place) => (
            <figure key={task.task_id}>
              <div className={classes.stage}>
                <Picture task={task} alt={nameOf(task.model_id)} />
              </div>
              <figcaption>
                <Side task={task} name={nameOf(task.model_id)} side={SIDES[place] ?? ''} />
              </figcaption>
            </figure>
          ))}
        </div>
      )}
    </FullDialog>
  );
}
