import type { TaskView as Task } from '@darkroom-service/contract/task';
import { Group, Tooltip, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import { PlainButton } from '../../components/buttons.ts';
import { formatMoney } from '../../components/money.tsx';
import { Hint } from '../../components/words.ts';
import { studioTexts } from '../../texts/studio.ts';
import { actionLabel } from '../../texts/studio-labels.ts';
import { ActionDialog, type OfferedAction } from './action-dialog.tsx';
import { OrderFault } from './order/order-fault.tsx';
import type { Ordering } from './order/use-ordering.ts';
import classes from './stage.module.css';

interface Props {
  readonly task: Task;
  readonly ordering: Ordering;
}

const TILES = [1, 2, 3, 4];
/** The fields to ask for in a dialog; an optional prompt alone needs no dialog. */
const ASKED = ['mask_url', 'ratio', 'direction', 'strength'];

/** Follow-ups of the whole image, each with its price. */
export function FollowUps({ task, ordering }: Props) {
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
export function TileFollowUps({ task, ordering }: Props) {
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
