import type { TaskView as Task } from '@darkroom-service/contract';
import { Group } from '@mantine/core';
import { IconArrowsLeftRight, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { type CSSProperties, useRef, useState } from 'react';
import { SmallButton } from '../buttons.ts';
import { Dialog } from '../dialog.tsx';
import { factsOf } from '../task-facts.ts';
import classes from './compare.module.css';
import { useFilmsInStep } from './films-in-step.ts';
import { Picture } from './picture.tsx';
import { SIDES } from './sides.ts';

/** Two to four results: side by side, or two overlaid with a divider. */
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
    <Dialog
      title="Compare"
      onClose={onClose}
      fullScreen
      radius={0}
      classNames={{ body: classes.body ?? '' }}
      centered={false}
    >
      {isPair && (
        <Group justify="center">
          <SmallButton aria-pressed={isSplit} onClick={() => setSplit(!isSplit)}>
            Side by side
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
    </Dialog>
  );
}

/** Two overlaid results, with a divider that reveals one or the other. */
function CompareTwo({
  tasks,
  nameOf,
}: {
  readonly tasks: readonly [Task, Task];
  readonly nameOf: (modelId: string) => string;
}) {
  const [divider, setDivider] = useState(50);
  const [isSwapped, setSwapped] = useState(false);
  const stage = useRef<HTMLDivElement>(null);
  const films = useFilmsInStep(stage);
  const [left, right] = isSwapped ? [tasks[1], tasks[0]] : tasks;
  return (
    <>
      <div className={classes.stage} ref={stage} style={{ '--divider': `${divider}%` } as CSSProperties}>
        <div className={classes.layer}>
          <Picture key={right.task_id} task={right} alt={nameOf(right.model_id)} />
        </div>
        <div className={`${classes.layer} ${classes.over}`}>
          <Picture key={left.task_id} task={left} alt={nameOf(left.model_id)} />
        </div>
        <span className={classes.line} />
        <input
          type="range"
          className={classes.range}
          min={0}
          max={100}
          step={1}
          value={divider}
          aria-label="Divider between the two"
          aria-valuetext={`${divider} %`}
          onChange={({ currentTarget }) => setDivider(Number(currentTarget.value))}
          data-autofocus
        />
      </div>
      <div className={classes.names}>
        <Side task={left} name={nameOf(left.model_id)} side={isSwapped ? 'B' : 'A'} />
        <Group gap="xs" wrap="nowrap">
          {left.type === 'video' && (
            <SmallButton
              leftSection={films.isPlaying ? <IconPlayerPause size={16} /> : <IconPlayerPlay size={16} />}
              onClick={films.toggle}
            >
              {films.isPlaying ? 'Pause both' : 'Play both'}
            </SmallButton>
          )}
          <SmallButton leftSection={<IconArrowsLeftRight size={16} />} onClick={() => setSwapped(!isSwapped)}>
            Swap
          </SmallButton>
        </Group>
        <Side task={right} name={nameOf(right.model_id)} side={isSwapped ? 'A' : 'B'} />
      </div>
    </>
  );
}

function Side({ task, name, side }: { readonly task: Task; readonly name: string; readonly side: string }) {
  return (
    <div>
      <b>
        {side} · {name}
      </b>
      <span className={`${classes.facts} figures`}>{factsOf(task).join(' · ')}</span>
    </div>
  );
}
