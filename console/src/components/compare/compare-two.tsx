import type { TaskView as Task } from '@darkroom-service/contract/task';
import { Group } from '@mantine/core';
import { IconArrowsLeftRight, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { type CSSProperties, useRef, useState } from 'react';
import { lightTexts } from '../../texts/light.ts';
import { SmallButton } from '../buttons.ts';
import { factsOf } from '../task-facts.ts';
import classes from './compare.module.css';
import { useFilmsInStep } from './films-in-step.ts';
import { Picture } from './picture.tsx';

const texts = lightTexts.compare;

/** Two results one over the other, with a divider that uncovers one or the other. */
export function CompareTwo({
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
          aria-label={texts.divider}
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
              {films.isPlaying ? texts.pause : texts.play}
            </SmallButton>
          )}
          <SmallButton leftSection={<IconArrowsLeftRight size={16} />} onClick={() => setSwapped(!isSwapped)}>
            {texts.swap}
          </SmallButton>
        </Group>
        <Side task={right} name={nameOf(right.model_id)} side={isSwapped ? 'A' : 'B'} />
      </div>
    </>
  );
}

export function Side({ task, name, side }: { readonly task: Task; readonly name: string; readonly side: string }) {
  const { price, seconds, size, seed } = factsOf(task);
  const facts = [price, seconds, size, seed === null ? null : lightTexts.table.seed(seed)];
  return (
    <div>
      <b>
        {side} · {name}
      </b>
      <span className={`${classes.facts} figures`}>{facts.filter((fact) => fact !== null).join(' · ')}</span>
    </div>
  );
}
