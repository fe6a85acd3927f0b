import type { QuoteView } from '@darkroom-service/contract';
import type { ButtonProps } from '@mantine/core';
import { PlainButton } from '../../../components/buttons.ts';
import classes from './order-button.module.css';
import { priceWords } from './price-words.ts';
import { useKeptPress } from './use-kept-press.ts';
import { useOrdering, type WantedOrder } from './use-ordering.ts';

/** Orders what a result offers, at the price on the button. A press before the price is known counts too. */
export function OrderButton({
  order,
  quote,
  reserved,
  isExact = true,
  ...props
}: Pick<ButtonProps, 'leftSection' | 'children' | 'size'> & {
  /** Null while it loads. */
  readonly order: WantedOrder | null;
  readonly quote: Pick<QuoteView, 'amount' | 'exact'> | undefined;
  /** The amount that reserves the space of the price until it is known. */
  readonly reserved?: string;
  /** Whether the quote is that of exactly this order. */
  readonly isExact?: boolean;
}) {
  const ordering = useOrdering();
  const [isKept, press] = useKeptPress(order !== null, () => {
    if (order === null) return;
    const offer = { ...order, isOffer: true };
    if (quote === undefined || !isExact) ordering.press(offer, quote?.amount ?? null);
    else ordering.place(offer, quote.amount);
  });
  const shown = quote ?? (reserved === undefined ? undefined : { amount: reserved, exact: true });
  return (
    <PlainButton
      {...props}
      rightSection={
        shown && (
          <span className={classes.price} style={quote === undefined ? { visibility: 'hidden' } : {}}>
            {priceWords(shown)}
          </span>
        )
      }
      loading={isKept}
      disabled={ordering.isPending || ordering.unconfirmed !== null}
      onClick={press}
    />
  );
}
