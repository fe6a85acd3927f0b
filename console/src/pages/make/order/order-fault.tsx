import { Alert, Button, Group, Text } from '@mantine/core';
import type { ApiError } from '../../../api/api-error.ts';
import { SmallButton } from '../../../components/buttons.ts';
import { Hint } from '../../../components/words.tsx';
import { formatMoney } from '../../../format.ts';
import { frameTexts } from '../../../texts/frame.ts';
import { withFieldLabel } from '../../../texts/studio-labels.ts';
import { useOrdering } from './use-ordering.ts';

/**
 * Shows that the last order is unconfirmed, why it was refused, or the price to accept. Used for single orders and for
 * tables.
 */
export function OrderFault() {
  const { unconfirmed, refusal, asked, isPending, repeat, giveUp, accept, dismiss } = useOrdering();
  if (unconfirmed !== null)
    return (
      <Alert variant="light" color="red" p="sm" role="alert" title="It is not known whether the order arrived">
        <Text size="sm">
          The console asks again by itself, with the same Idempotency-Key: the order is placed and charged at most once.
          If you give up and the order did arrive, it is made, charged and listed with your work.
        </Text>
        <Group gap="xs" mt={8}>
          <SmallButton onClick={repeat}>{frameTexts.tryAgain}</SmallButton>
          <Button size="xs" variant="subtle" color="gray" onClick={giveUp}>
            Give up
          </Button>
        </Group>
      </Alert>
    );
  if (isPending) return null;
  if (asked !== null)
    return (
      <Alert
        variant="light"
        color="safelight"
        p="sm"
        role="alert"
        title={`It costs ${formatMoney(asked.price)}`}
        withCloseButton
        onClose={dismiss}
        closeButtonLabel={frameTexts.close}
      >
        <Text size="sm">
          {asked.shown === null
            ? 'The price was not known yet. Nothing was ordered.'
            : `That is more than the ${formatMoney(asked.shown)} shown before. Nothing was ordered.`}
        </Text>
        <SmallButton mt={8} onClick={accept}>
          Order for {formatMoney(asked.price)}
        </SmallButton>
      </Alert>
    );
  if (refusal === null) return null;
  const { error } = refusal;
  const price = newPrice(error);
  return (
    <Alert
      variant="light"
      color="red"
      p="sm"
      role="alert"
      title={price === null ? 'The order was refused' : 'The price has changed'}
      withCloseButton
      onClose={dismiss}
      closeButtonLabel={frameTexts.close}
    >
      <Text size="sm">
        {price === null ? withFieldLabel(error.message) : `It costs ${formatMoney(price)} now. Nothing was ordered.`}
      </Text>
    </Alert>
  );
}

/** Shows what became of an order that a result offers. */
export function OfferFault() {
  const { refusal, asked, unconfirmed } = useOrdering();
  const isHere = refusal?.isOffer === true || asked?.isOffer === true || unconfirmed?.kind === 'action';
  return isHere ? <OrderFault /> : null;
}

/** Shows that the service returned no price. */
export function PriceMissing() {
  return (
    <Hint role="status">
      The price could not be loaded. The console keeps retrying; you can order once it is known.
    </Hint>
  );
}

/** Returns the new price if the order was refused because the price had risen. */
function newPrice(error: ApiError): string | null {
  if (error.code !== 'price_exceeded') return null;
  const [facts] = error.details as readonly { readonly price?: string }[];
  return facts?.price ?? null;
}
