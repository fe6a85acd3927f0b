import type { TaskView as Task } from '@darkroom-service/contract';
import { Badge, Button, type ButtonProps, CopyButton, Group, Text, Tooltip, VisuallyHidden } from '@mantine/core';
import { IconAdjustments, IconCheck, IconDownload, IconLink, IconMovie, IconPhotoPlus } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { type CatalogModel, OURS, type Values } from '../../api/model.ts';
import { downloadUrl, nearUrl } from '../../api/service-url.ts';
import { useModel, useOrderableModels } from '../../api/use-models.ts';
import { PlainButton } from '../../components/buttons.ts';
import { dragTask } from '../../components/dragged.ts';
import { LargePicture } from '../../components/large-picture.tsx';
import { lazyPart } from '../../components/lazy-part.ts';
import { ResultMedia } from '../../components/result-media.tsx';
import { ShareButton } from '../../components/share-dialog.tsx';
import { altOf, promptOf, secondsOf } from '../../components/task-facts.ts';
import { Understood } from '../../components/understood.tsx';
import { Hint } from '../../components/words.tsx';
import { formatLength, formatMoney, formatSeconds } from '../../format.ts';
import { frameTexts } from '../../texts/frame.ts';
import { studioTexts } from '../../texts/studio.ts';
import { actionLabel } from '../../texts/studio-labels.ts';
import { ActionDialog, type OfferedAction } from './action-dialog.tsx';
import { setDraft, setValue, useDraft, valuesOf } from './draft.ts';
import { AgainButton } from './order/again-button.tsx';
import { OrderButton } from './order/order-button.tsx';
import { useOrdering } from './order/use-ordering.ts';
import { referenceIn, referencePlace, useMove } from './references.ts';
import classes from './stage.module.css';

const TagBar = lazyPart(async () => (await import('../../components/tags/tag-bar.tsx')).TagBar);

/** The finished image or video, large, with its actions. */
export function Result({ task }: Props) {
  const made = useModel(task.model_id);
  const output = task.outputs[0];
  if (output === undefined) return null;
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
          <ResultMedia
            task={task}
            alt={altOf(task)}
            film={{ controls: true, autoPlay: true }}
            picture={{ width, height, ...dragTask(task.task_id) }}
          />
          {output.tiles === 4 && <TileFollowUps task={task} />}
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
      <ResultTools task={task} />
      <FollowUps task={task} />
    </div>
  );
}

function factsOf(task: Task): string[] {
  const output = task.outputs[0];
  const seconds = secondsOf(task);
  return [
    task.model_id,
    output?.width == null ? null : `${output.width} × ${output.height}`,
    output?.duration_seconds == null ? null : formatLength(output.duration_seconds),
    output?.seed == null ? null : `seed ${output.seed}`,
    seconds === null ? null : `made in ${formatSeconds(seconds)}`,
    formatMoney(task.cost.amount),
  ].filter((fact) => fact !== null);
}

interface Props {
  readonly task: Task;
}

const MOVE = 'Make it move';
const TILES = [1, 2, 3, 4];
/** Fields that need a dialog; an optional prompt alone needs none. */
const ASKED = ['mask_url', 'ratio', 'direction', 'strength'];

/** Follow-ups of the whole image or video, each with its price. One that needs a further medium opens its form. */
function FollowUps({ task }: Props) {
  const ordering = useOrdering();
  const { models = [] } = useOrderableModels();
  const [asking, setAsking] = useState<OfferedAction | null>(null);
  const offers = offersOf(task).filter(({ parameters }) => !('index' in parameters));
  if (offers.length === 0) return null;
  const choose = (offer: OfferedAction) => {
    const tool = models.find(({ model_id: id }) => id === offer.model_id);
    if (needsMedium(offer) && tool !== undefined) setDraft(tool.model_id, referenceIn(tool, {}, task));
    else if (Object.keys(offer.parameters).some((name) => ASKED.includes(name))) setAsking(offer);
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
            rightSection={
              <span className={classes.offerPrice}>
                {needsMedium(offer) && 'up to '}
                {formatMoney(offer.price)}
              </span>
            }
          >
            {actionLabel(offer.action)}
          </PlainButton>
        ))}
      </Group>
      {asking !== null && <ActionDialog task={task} offer={asking} onClose={() => setAsking(null)} />}
    </div>
  );
}

/** Tells whether a tool needs a medium besides the result, such as a voice. */
function needsMedium({ model_id: tool, parameters }: OfferedAction): boolean {
  return tool !== undefined && Object.values(parameters).some(({ format }) => format === 'uri');
}

/** Follow-ups of each of the four tiles, on the tile. */
function TileFollowUps({ task }: Props) {
  const ordering = useOrdering();
  const offers = offersOf(task).filter(({ parameters }) => 'index' in parameters);
  if (offers.length === 0) return null;
  return (
    <div className={classes.tiles}>
      {TILES.map((index) => (
        <fieldset key={index} className={classes.tile} aria-label={`Tile ${index}`}>
          <div className={classes.tileActions}>
            {offers.map((offer) => (
              <Tooltip key={offer.action} label={`${actionLabel(offer.action)} of tile ${index}`}>
                <button
                  type="button"
                  className={classes.tileAction}
                  disabled={ordering.isPending || ordering.unconfirmed !== null}
                  onClick={() => ordering.followUp(task, offer, { index })}
                >
                  {actionLabel(offer.action)}
                  <VisuallyHidden> of tile {index}, </VisuallyHidden>
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

/** Buttons of a result: download, order again, use as input. */
function ResultTools({ task }: Props) {
  const { models = [] } = useOrderableModels();
  const draft = useDraft();
  // Some tools depend on the models. If these load after the result, nothing moves, whichever tools it has.
  const areModelsMissing = models.length === 0;
  const [isPlaceKept] = useState(areModelsMissing);
  const move = useMove(task);
  const output = task.outputs[0];
  if (output === undefined) return null;
  const own = models.find(({ model_id: id }) => id === task.model_id);
  const hasSeed =
    task.action === null && (areModelsMissing ? output.seed !== null : own !== undefined && 'seed' in own.parameters);
  const current = models.find(({ model_id: id }) => id === draft.modelId);
  const place = referencePlace(current, task.type) ?? referencePlace(own, task.type);
  const useAsReference = () => {
    if (current !== undefined && referencePlace(current, task.type) !== null) addReference(current, draft.values, task);
    else if (own !== undefined) setDraft(own.model_id, { ...valuesOf(task, own), ...referenceIn(own, {}, task) });
  };
  return (
    <div className={classes.tools}>
      <Button component="a" href={downloadUrl(output.url)} download leftSection={<IconDownload size={17} />}>
        Download
      </Button>
      <CopyButton value={output.content_url}>
        {({ copied, copy }) => (
          <Tooltip label="Valid as long as the file exists; requires your key as a bearer token">
            <PlainButton onClick={copy} leftSection={copied ? <IconCheck size={17} /> : <IconLink size={17} />}>
              {copied ? frameTexts.copied : studioTexts.permanentUrl}
            </PlainButton>
          </Tooltip>
        )}
      </CopyButton>
      <ShareButton task={task} />
      <AgainButton task={task} label={hasSeed ? 'Again with another seed' : 'Again'} anotherSeed />
      <Tool
        variant="default"
        leftSection={<IconPhotoPlus size={17} />}
        isPlaceKept={isPlaceKept}
        onClick={place === null ? null : useAsReference}
      >
        Use as reference
      </Tool>
      {move == null ? (
        <Tool
          variant="default"
          leftSection={<IconMovie size={17} />}
          rightSection={<span className={classes.offerPrice}>{formatMoney('0.10')}</span>}
          isPlaceKept={task.type === 'image' && (isPlaceKept || move === undefined)}
          onClick={null}
        >
          {MOVE}
        </Tool>
      ) : (
        <OrderButton
          leftSection={<IconMovie size={17} />}
          order={move.order}
          quote={move.quote}
          // Its price was read without the prompt.
          isExact={false}
        >
          {MOVE}
        </OrderButton>
      )}
      <Tool
        variant="subtle"
        color="gray"
        leftSection={<IconAdjustments size={17} />}
        isPlaceKept={isPlaceKept && task.action === null}
        onClick={own === undefined || task.action !== null ? null : () => setDraft(own.model_id, valuesOf(task, own))}
      >
        Use these settings
      </Tool>
    </div>
  );
}

/** A button that only some results have. */
function Tool({
  isPlaceKept,
  onClick,
  ...props
}: Pick<ButtonProps, 'variant' | 'color' | 'leftSection' | 'rightSection' | 'children'> & {
  /** Whether a missing button leaves its space empty. */
  readonly isPlaceKept: boolean;
  /** Called by the button; null if the result does not have it. */
  readonly onClick: (() => void) | null;
}) {
  if (onClick !== null) return <Button {...props} onClick={onClick} />;
  return isPlaceKept ? (
    <Button {...props} className={classes.toolPlace ?? ''} aria-hidden="true" tabIndex={-1} />
  ) : null;
}

function addReference(model: CatalogModel, values: Values, task: Task): void {
  for (const [name, value] of Object.entries(referenceIn(model, values, task))) setValue(name, value);
}
