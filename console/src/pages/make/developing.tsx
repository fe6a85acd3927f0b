import type { TaskView as Task } from '@darkroom-service/contract/task';
import { Anchor, Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { faultText } from '../../api/api-error.ts';
import { silentSinceStore } from '../../api/connection.ts';
import { cancelTask } from '../../api/orders.ts';
import { useStore } from '../../api/store.ts';
import { queuePlace } from '../../components/task-facts.ts';
import { Fault, Hint } from '../../components/words.ts';
import { formatTime } from '../../format.ts';
import { orderTexts } from '../../texts/orders.ts';
import { studioTexts } from '../../texts/studio.ts';
import { NextSteps } from './next-steps.tsx';
import classes from './stage.module.css';
import type { StageProps } from './stage-props.ts';

/** A running order: progress, queue position and remaining time. */
export function Developing({ task, models, ordering }: StageProps) {
  const cancel = useMutation({ mutationFn: () => cancelTask(task.task_id) });
  const isCanceling = cancel.isPending || cancel.isSuccess || task.cancel_requested_at !== null;
  const left = useCountdown(task.estimated_seconds, task.revision);
  const silentSince = useStore(silentSinceStore);
  const waitsFor = 'waiting_for' in task ? (task.waiting_for ?? []) : [];
  const facts =
    silentSince !== null
      ? [`The service does not answer. Last known: ${studioTexts.status[task.status]}`]
      : [
          queuePlace(task),
          task.delayed_by === undefined ? null : orderTexts.delayedBy[task.delayed_by],
          task.delayed_by !== undefined || left === null ? null : left > 0 ? studioTexts.left(left) : 'any moment now',
        ].filter((fact) => fact !== null);
  return (
    <Stack gap={20} align="center" justify="center">
      <div className={classes.paper} style={{ ['--ratio' as string]: ratioOf(task) }} aria-hidden="true">
        <span className={classes.latent} />
      </div>
      <Stack gap={8} w="min(100%, 460px)">
        <Text ff="heading" fz="lg">
          {silentSince === null
            ? studioTexts.status[task.status]
            : `State unknown since ${formatTime(new Date(silentSince).toISOString())}`}
          {silentSince === null && task.progress > 0 && <span className="figures"> {task.progress} %</span>}
        </Text>
        {waitsFor.map((taskId) => (
          <Text key={taskId} size="sm" data-testid="waits-for">
            <Anchor component={Link} href={`/t/${taskId}`} inherit>
              {orderTexts.waitsFor}
            </Anchor>
          </Text>
        ))}
        <Progress value={task.progress} size={4} radius="xl" aria-label={studioTexts.status[task.status]} />
        <Group gap={12} justify="space-between" wrap="nowrap" mih={26}>
          <Hint>{facts.join(' · ')}</Hint>
          {task.can_cancel && (
            <Button
              size="compact-sm"
              variant="subtle"
              flex="none"
              color="gray"
              onClick={() => cancel.mutate()}
              disabled={isCanceling}
            >
              {isCanceling ? 'Canceling …' : 'Cancel the order'}
            </Button>
          )}
        </Group>
        {cancel.error !== null && <Fault>{faultText('Could not cancel the order', cancel.error)}</Fault>}
      </Stack>
      <NextSteps task={task} models={models} ordering={ordering} />
    </Stack>
  );
}

/** Counts down the remaining seconds from the last estimate. */
function useCountdown(estimate: number | null, revision: number): number | null {
  const [since, setSince] = useState({ revision, at: Date.now() });
  const [now, setNow] = useState(Date.now());
  if (since.revision !== revision) setSince({ revision, at: Date.now() });
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return estimate === null ? null : Math.max(0, Math.round(estimate - (now - since.at) / 1_000));
}

/** Returns the aspect ratio of the result, as far as the order determines it. */
function ratioOf(task: Task): number {
  const { size, aspect_ratio: ratio } = task.input as { size?: string | null; aspect_ratio?: string | null };
  const [width, height] = (size ?? ratio ?? '').split(/[x:]/).map(Number);
  if (width !== undefined && height !== undefined && width > 0 && height > 0) return width / height;
  return task.type === 'video' ? 16 / 9 : 1;
}
