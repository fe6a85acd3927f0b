import type { TaskView as Task } from '@darkroom-service/contract/task';
import { Badge, Group, Text, Tooltip, VisuallyHidden } from '@mantine/core';
import { Suspense, useState } from 'react';
import { OURS } from '../../api/model.ts';
import { nearUrl } from '../../api/service-url.ts';
import { PlainButton } from '../../components/buttons.ts';
import { dragTask } from '../../components/dragged.ts';
import { LargePicture } from '../../components/large-picture.tsx';
import { lazyPart } from '../../components/lazy-part.ts';
import { formatMoney } from '../../components/money.tsx';
import { altOf, promptOf, secondsOf } from '../../components/task-facts.ts';
import { Understood } from '../../components/understood.tsx';
import { Hint } from '../../components/words.ts';
import { formatCount, formatDecimal } from '../../format.ts';
import { studioTexts } from '../../texts/studio.ts';
import { actionLabel } from '../../texts/studio-labels.ts';
import { ActionDialog, type OfferedAction } from './action-dialog.tsx';
import { OrderFault } from './order/order-fault.tsx';
import type { Ordering } from './order/use-ordering.ts';
import { ResultTools } from './result-tools.tsx';
import classes from './stage.module.css';
import type { StageProps } from './stage-props.ts';

const TagBar = lazyPart(async () => (await import('../../components/tags/tag-bar.tsx')).TagBar);

/** The finished image or video, large, with its actions. */
export function Result({ task, models, ordering }: StageProps) {
  const output = task.outputs[0];
  if (output === undefined) return null;
  const made = models.find(({ model_id: id }) => id === task.model_id);
  const prompt = promptOf(task);
  const width = output.width ?? 16;
  const height = output.height ?? 9;
  return (
    <div className={classes.result}>
      <figure className={classes.figure}>
        <div
          className={classes.print}
          style={{ aspectRatio: `${width} / ${height}`, ['--ratio' as string]: width / height }}
        >
          {task.type === 'video' ? (
            <video
              src={nearUrl(output.url)}
              poster={output.thumbnail_url === null ? undefined : nearUrl(output.thumbnail_url)}
              controls
              loop
              autoPlay
              muted
              playsInline
              aria-label={altOf(task)}
            />
          ) : (
            <img
              src={nearUrl(output.url)}
              width={width}
              height={height}
              alt={altOf(task)}
              {...dragTask(task.task_id)}
            />
          )}
          {output.tiles === 4 && <TileFollowUps task={task} ordering={ordering} />}
          {task.type === 'image' && <LargePicture source={nearUrl(output.url)} alt={altOf(task)} />}
        </div>
        <figcaption className={classes.caption}>
          <Text lineClamp={2} dir="auto">
            {prompt}
          </Text>
          <Hint className="figures">
            {factsOf(task).join(' · ')}
            {task.mode === 'test' && (
              <Badge size="sm" variant="default" tt="none" ml={8}>
                {made === undefined || made.vendor === OURS
                  ? 'Test'
                  : `Test: drawn by the built-in illustrator, not made by ${made.name}`}
              </Badge>
            )}
          </Hint>
          <Understood output={output} />
        </figcaption>
      </figure>
      <div className={classes.resultTags}>
        <Suspense>
          <TagBar taskId={task.task_id} />
        </Suspense>
      </div>
      <ResultTools task={task} models={models} ordering={ordering} />
      <FollowUps task={task} ordering={ordering} />
    </div>
  );
}

function factsOf(task: StageProps['task']): string[] {
  const output = task.outputs[0];
  const seconds = secondsOf(task);
  return [
    task.model_id,
    output?.width == null ? null : `${output.width} × ${output.height}`,
    output?.duration_seconds == null ? null : `${formatCount(Number(output.duration_seconds.toFixed(1)))} s`,
    output?.seed == null ? null : `seed ${output.seed}`,
    seconds === null ? null : `made in ${formatDecimal(seconds, seconds < 10 ? 1 : 0)} s`,
    formatMoney(task.cost.amount),
  ].filter((fact) => fact !== null);
}

interface Props {
  readonly task: Task;
  readonly ordering: Ordering;
}

const TILES = [1, 2, 3, 4];
/** The fields to ask for in a dialog; an optional prompt alone needs no dialog. */
const ASKED = ['mask_url', 'ratio', 'direction', 'strength'];

/** Follow-ups of the whole image, each with its price. */
function FollowUps({ task, ordering }: Props) {
  const [asking, setAsking] = useState<OfferedAction | null>(null);
  const offers = offersOf(task).filter(({ parameters }) => !('index' in parameters));
  if (offers.length === 0) return null;
  const choose = (offer: OfferedAction) => {
    if (Object.keys(offer.parameters).some((name) => ASKED.includes(name))) setAsking(offer);
    else ordering.followUp(task, offer);
  };
  return (
    <div>
      <Hint mb={8}>Follow up</Hint>
      <Group gap="xs">
        {offers.map((offer) => (
          <PlainButton
            key={offer.action}
            size="sm"
            disabled={ordering.isPending || ordering.unconfirmed !== null}
            onClick={() => choose(offer)}
            rightSection={<span className={classes.offerPrice}>{formatMoney(offer.price)}</span>}
          >
            {actionLabel(offer.action)}
          </PlainButton>
        ))}
      </Group>
      {(ordering.refusal ?? ordering.unconfirmed)?.kind === 'action' && <OrderFault ordering={ordering} />}
      {asking !== null && (
        <ActionDialog task={task} offer={asking} ordering={ordering} onClose={() => setAsking(null)} />
      )}
    </div>
  );
}

/** Follow-ups of each of the four tiles, on the tile. */
function TileFollowUps({ task, ordering }: Props) {
  const offers = offersOf(task).filter(({ parameters }) => 'index' in parameters);
  if (offers.length === 0) return null;
  return (
    <div className={classes.tiles}>
      {TILES.map((index) => (
        <fieldset key={index} className={classes.tile} aria-label={`Tile ${index}`}>
          <div className={classes.tileActions}>
            {offers.map((offer) => (
              <Tooltip key={offer.action} label={actionLabel(offer.action) + studioTexts.ofTile(index)}>
                <button
                  type="button"
                  className={classes.tileAction}
                  disabled={ordering.isPending || ordering.unconfirmed !== null}
                  onClick={() => ordering.followUp(task, offer, { index })}
                >
                  {actionLabel(offer.action)}
                  <VisuallyHidden>{studioTexts.ofTile(index)}, </VisuallyHidden>
                  <span className={classes.offerPrice}>{formatMoney(offer.price)}</span>
                </button>
              </Tooltip>
            ))}
          </div>
        </fieldset>
      ))}
    </div>
  );
}

function offersOf(task: Task): readonly OfferedAction[] {
  return task.available_actions as unknown as readonly OfferedAction[];
}
