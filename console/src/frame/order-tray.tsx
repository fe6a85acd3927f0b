import { Button, Popover, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconProgress } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { type BookedOrder, isUnderWay } from '../api/booked-order.ts';
import { removeOrder, useOrderBook } from '../api/order-book.ts';
import { Hint } from '../components/words.tsx';
import { formatMany } from '../format.ts';
import { orderTexts } from '../texts/orders.ts';
import { EndedOrder, OrderUnderWay } from './order-rows.tsx';
import classes from './order-tray.module.css';

/** All open orders, and the ones that have just ended, on every page. */
export function OrderTray() {
  const [isOpen, setOpen] = useState(false);
  const isNarrow = useMediaQuery('(max-width: 62em)') ?? false;
  // The open form shows its deed itself.
  const book = useOrderBook().filter(({ kind, state }) => kind !== 'deed' || state !== 'sending');
  const underWay = book.filter(isUnderWay);
  const ended = book.filter((order) => !isUnderWay(order));
  const unconfirmed = underWay.filter(({ state }) => state === 'unconfirmed').length;
  const summary = [
    `${formatMany(underWay.length, 'order')} under way`,
    ...(unconfirmed === 0 ? [] : [`${unconfirmed} unconfirmed`]),
  ].join(', ');
  const close = () => setOpen(false);
  const tray = useRef<HTMLDivElement>(null);
  // A row that moves or disappears loses the focus; without focus, Escape would not close the tray.
  useEffect(() => {
    if (isOpen && book !== undefined && document.activeElement === document.body) tray.current?.focus();
  }, [isOpen, book]);
  return (
    <>
      <Popover
        opened={isOpen}
        onChange={setOpen}
        position={isNarrow ? 'bottom' : 'right-end'}
        offset={isNarrow ? 8 : 12}
        middlewares={{ shift: { padding: 12 }, flip: true }}
        width="min(400px, calc(100vw - 24px))"
        trapFocus
        returnFocus
      >
        <Popover.Target>
          <button
            type="button"
            className={classes.handle}
            data-busy={underWay.length > 0 || undefined}
            data-unconfirmed={unconfirmed > 0 || undefined}
            onClick={() => setOpen(!isOpen)}
          >
            <IconProgress size={20} stroke={1.6} aria-hidden="true" />
            <span className="visually-hidden">
              {`${orderTexts.tray}: ${underWay.length === 0 ? orderTexts.none : summary}`}
            </span>
            <span className={classes.word} aria-hidden="true">
              {orderTexts.tray}
            </span>
            {underWay.length > 0 && (
              <span className={`${classes.count} figures`} aria-hidden="true">
                {underWay.length}
              </span>
            )}
          </button>
        </Popover.Target>
        <Popover.Dropdown ref={tray} className={classes.tray ?? ''} px={0} pt={4} pb={8}>
          {book.length === 0 ? (
            <div className={classes.empty} data-autofocus tabIndex={-1}>
              <Text>{orderTexts.none}</Text>
              <Hint>Orders that you place appear here until they have ended, on every page and in every tab.</Hint>
            </div>
          ) : (
            <>
              <Part title="Under way" orders={underWay}>
                {(order) => <OrderUnderWay key={order.idempotencyKey} order={order} onLeave={close} />}
              </Part>
              <Part title="Just ended" orders={ended} onClear={() => clear(ended)}>
                {(order) => <EndedOrder key={order.idempotencyKey} order={order} onLeave={close} />}
              </Part>
            </>
          )}
        </Popover.Dropdown>
      </Popover>
      <output className="visually-hidden">{useAnnouncement(book)}</output>
    </>
  );
}

function Part({
  title,
  orders,
  onClear,
  children,
}: {
  readonly title: string;
  readonly orders: readonly BookedOrder[];
  readonly onClear?: () => void;
  readonly children: (order: BookedOrder) => React.ReactNode;
}) {
  if (orders.length === 0) return null;
  return (
    <section className={classes.part} aria-label={title}>
      <div className={classes.head}>
        <h2 className={classes.title}>{title}</h2>
        {onClear !== undefined && (
          <Button size="compact-xs" variant="subtle" color="gray" onClick={onClear}>
            Clear
          </Button>
        )}
      </div>
      <ul className={classes.list}>{orders.map(children)}</ul>
    </section>
  );
}

function clear(orders: readonly BookedOrder[]): void {
  for (const { idempotencyKey } of orders) removeOrder(idempotencyKey);
}

/** Returns the announcement of the latest change for screen readers: an order has become unconfirmed, or has ended. */
function useAnnouncement(book: readonly BookedOrder[]): string {
  const [text, setText] = useState('');
  const before = useRef(book);
  useEffect(() => {
    const wordBefore = new Map(before.current.map((order) => [order.idempotencyKey, wordOf(order)]));
    before.current = book;
    const changed = book.find((order) => {
      const word = wordOf(order);
      return word !== null && wordBefore.has(order.idempotencyKey) && wordBefore.get(order.idempotencyKey) !== word;
    });
    if (changed !== undefined) setText(`${changed.title}: ${wordOf(changed) ?? ''}`);
  }, [book]);
  return text;
}

function wordOf(order: BookedOrder): string | null {
  if (order.state === 'unconfirmed' || order.state === 'refused') return orderTexts.state(order.state);
  return isUnderWay(order) ? null : 'has ended';
}
