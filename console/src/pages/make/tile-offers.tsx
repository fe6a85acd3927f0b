import type { TaskView as Task } from '@darkroom-service/contract';
import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { orderAgain } from '../../api/order-again.ts';
import { formatMoney, multiplyAmount } from '../../format.ts';
import { useOrdering, type WantedOrder } from './order/use-ordering.ts';
import { useMove } from './references.ts';
import { bodyOf, entryName } from './table/batch-body.ts';

/** Number of results that one press orders with other seeds. */
const SEVERAL = 4;
/** Time until the pointer is taken to rest on a tile, in milliseconds: prices are not read for each tile it crosses. */
const RESTING_MS = 300;

/** Orders that a result on the wall offers, each with its price: again, four more, and a video of an image. */
export function TileOffers({ task, name }: { readonly task: Task; readonly name: string }) {
  const [isResting, setResting] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setResting(true), RESTING_MS);
    return () => clearTimeout(timer);
  }, []);
  const move = useMove(task, {}, isResting);
  const again = { ...orderAgain(task, { anotherSeed: true }), isOffer: true };
  const price = task.cost.quoted;
  return (
    <>
      {task.action === null && (
        <>
          <Offer word="Again" name={name} order={again} price={price} />
          <Offer
            word={`×${SEVERAL}`}
            name={name}
            order={several(task, again.body, name)}
            price={multiplyAmount(price, SEVERAL)}
          />
        </>
      )}
      {move != null && <Offer word="Move" name={name} order={move.order} price={move.quote.amount} />}
    </>
  );
}

/** A button for the pointer. The page of the order offers the same to keys. */
function Offer({
  word,
  name,
  order,
  price,
}: {
  readonly word: string;
  readonly name: string;
  readonly order: WantedOrder;
  /** The price to show, which is read again before the order is placed. */
  readonly price: string;
}) {
  const ordering = useOrdering();
  return (
    <Button
      size="compact-xs"
      color="dark"
      tabIndex={-1}
      aria-label={`${word}, ${formatMoney(price)}: ${name}`}
      disabled={ordering.isPending || ordering.unconfirmed !== null}
      onClick={() => ordering.press({ ...order, isOffer: true }, price)}
    >
      {word} {formatMoney(price)}
    </Button>
  );
}

function several(task: Task, body: WantedOrder['body'], title: string): WantedOrder {
  const operation = task.type === 'video' ? ('videos' as const) : ('images' as const);
  const entries = Array.from({ length: SEVERAL }, (_, index) => ({
    name: entryName(index, 0, task.model_id, null),
    operation,
    body,
  }));
  return { kind: 'batch', body: bodyOf(entries, title, ''), priced: { orders: entries }, title };
}
