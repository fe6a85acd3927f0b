import type { TaskView as Task } from '@darkroom-service/contract/task';
import { Group } from '@mantine/core';
import { IconMovie, IconPhotoUp } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { isUnreachable } from '../../api/api-error.ts';
import type { TaskOrder } from '../../api/booked-order.ts';
import type { CatalogModel, Values } from '../../api/model.ts';
import { markOf } from '../../api/order-again.ts';
import { useApi } from '../../api/use-api.ts';
import { PlainButton } from '../../components/buttons.ts';
import { formatMoney } from '../../components/money.tsx';
import { Hint } from '../../components/words.ts';
import { OrderFault } from './order/order-fault.tsx';
import type { Ordering } from './order/use-ordering.ts';
import classes from './stage.module.css';
import type { StageProps } from './stage-props.ts';
import { useMove } from './use-move.ts';

const TILES = [1, 2, 3, 4];

interface Step {
  readonly name: string;
  readonly label: string;
  readonly icon: ReactNode;
  readonly kind: TaskOrder['kind'];
  readonly body: Values;
}

/** Follow-ups of an image that is still under way. They wait for it, and are priced and held at once. */
export function NextSteps({ task, models, ordering }: StageProps) {
  const steps = useSteps(task, models);
  if (steps.length === 0) return null;
  const kind = (ordering.refusal ?? ordering.unconfirmed)?.kind;
  return (
    <section className={classes.next} aria-label="What comes next">
      <Hint>Order the next step now. It waits for this image, and costs nothing if this fails.</Hint>
      <Group gap="xs" justify="center">
        {steps.map((step) => (
          <StepButton key={step.name} step={step} ordering={ordering} />
        ))}
      </Group>
      {kind === 'action' && <OrderFault ordering={ordering} />}
    </section>
  );
}

/** One follow-up, with its price as the most that it can cost. */
function StepButton({ step, ordering }: { readonly step: Step; readonly ordering: Ordering }) {
  const { data: quote, error } = useApi('POST /v1/prices', { body: step.body as never }, { staleTime: 60_000 });
  // What cannot be ordered is not offered. Without an answer, the price is asked for again.
  if (error !== null && !isUnreachable(error)) return null;
  return (
    <PlainButton
      size="sm"
      leftSection={step.icon}
      rightSection={
        quote && (
          <span className={classes.offerPrice}>
            {quote.exact ? formatMoney(quote.amount) : `at most ${formatMoney(quote.amount)}`}
          </span>
        )
      }
      disabled={quote === undefined || ordering.isPending || ordering.unconfirmed !== null}
      onClick={() => quote !== undefined && ordering.place(step.kind, step.body, quote.amount)}
    >
      {step.label}
    </PlainButton>
  );
}

function useSteps(task: Task, models: readonly CatalogModel[]): readonly Step[] {
  const common = { ...markOf(task), wait_for_parent: true };
  const move = useMove(task, models, common);
  if (task.type !== 'image') return [];
  const own = models.find(({ model_id: id }) => id === task.model_id);
  // Such a model answers a grid, of which people go on with one tile.
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
      kind: 'video',
      body: { model_id: move.model.model_id, ...move.values },
    },
  ];
}
