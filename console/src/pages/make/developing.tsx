import type { TaskView as Task } from '@darkroom-service/contract';
import { Anchor, Group, Progress, Stack, Text } from '@mantine/core';
import { IconMovie, IconPhotoUp } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import { Link } from 'wouter';
import { isUnreachable } from '../../api/api-error.ts';
import { silentSinceStore } from '../../api/connection.ts';
import { markOf } from '../../api/order-again.ts';
import { useStore } from '../../api/store.ts';
import { useApi } from '../../api/use-api.ts';
import { useModel } from '../../api/use-models.ts';
import { CancelButton } from '../../components/cancel-button.tsx';
import { delayEnd, delayFact, queuePlace } from '../../components/task-facts.ts';
import { Hint } from '../../components/words.tsx';
import { formatAbout, formatTime } from '../../format.ts';
import { inWords } from '../../texts/in-words.ts';
import { orderTexts } from '../../texts/orders.ts';
import { OrderButton } from './order/order-button.tsx';
import type { WantedOrder } from './order/use-ordering.ts';
import { useMove } from './references.ts';
import classes from './stage.module.css';

/** A running order: progress, queue position and remaining time. */
export function Developing({ task }: { readonly task: Task }) {
  const left = useCountdown(task.estimated_seconds, task.revision);
  const silentSince = useStore(silentSinceStore);
  const waitsFor = 'waiting_for' in task ? (task.waiting_for ?? []) : [];
  const facts =
    silentSince !== null
      ? [`The service does not answer. Last known: ${inWords(task.status)}`]
      : [
          queuePlace(task),
          delayFact(task),
          delayFact(task) !== null || left === null ? null : left > 0 ? `${formatAbout(left)} left` : 'any moment now',
        ].filter((fact) => fact !== null);
  return (
    <Stack gap={20} align="center" justify="center">
      <div className={classes.paper} style={{ ['--ratio' as string]: ratioOf(task) }} aria-hidden="true">
        <span className={classes.latent} />
      </div>
      <Stack gap={8} w="min(100%, 460px)">
        <Text ff="heading" fz="lg">
          {silentSince === null
            ? inWords(task.status)
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
        {silentSince === null && task.delay !== undefined && delayFact(task) !== null && (
          <Text size="sm">{delayEnd(task.delay)}</Text>
        )}
        <Progress value={task.progress} size={4} radius="xl" aria-label={inWords(task.status)} />
        <Group gap={12} justify="space-between" mih={26}>
          <Hint flex={1}>{facts.join(' · ')}</Hint>
          <CancelButton task={task} size="compact-sm" variant="subtle" color="gray" />
        </Group>
      </Stack>
      <NextSteps task={task} />
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

const TILES = [1, 2, 3, 4];

interface Step extends WantedOrder {
  readonly name: string;
  readonly label: string;
  readonly icon: ReactNode;
}

/** Follow-ups of an image that is not finished yet. They wait for it, and are priced and held at once. */
function NextSteps({ task }: { readonly task: Task }) {
  const steps = useSteps(task);
  if (steps.length === 0) return null;
  return (
    <section className={classes.next} aria-label="What comes next">
      <Hint>Order the next step now. It waits for this image, and costs nothing if this fails.</Hint>
      <Group gap="xs" justify="center">
        {steps.map((step) => (
          <StepButton key={step.name} step={step} />
        ))}
      </Group>
    </section>
  );
}

/** A follow-up, with its price as the maximum cost. */
function StepButton({ step }: { readonly step: Step }) {
  const { data: quote, error } = useApi('POST /v1/prices', { body: step.body as never }, { staleTime: 60_000 });
  // Hides steps that cannot be ordered. Without an answer, the price is requested again.
  if (error !== null && !isUnreachable(error)) return null;
  return (
    <OrderButton size="sm" leftSection={step.icon} order={step} quote={quote}>
      {step.label}
    </OrderButton>
  );
}

function useSteps(task: Task): readonly Step[] {
  const own = useModel(task.model_id);
  const common = { ...markOf(task), wait_for_parent: true };
  const move = useMove(task, common);
  if (task.type !== 'image') return [];
  // Such a model returns a grid, of which people continue with one tile.
  if (task.action === null && own?.actions.includes('upscale') === true)
    return TILES.map((index) => ({
      name: `tile ${index}`,
      label: `Then upscale tile ${index}`,
      icon: <IconPhotoUp size={17} />,
      kind: 'action',
      body: { model_id: task.model_id, parent_task_id: task.task_id, action: 'upscale', index, ...common },
    }));
  if (move == null) return [];
  return [
    {
      name: 'film',
      label: 'Then make it move',
      icon: <IconMovie size={17} />,
      ...move.order,
    },
  ];
}
