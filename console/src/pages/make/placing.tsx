import type { QuoteView as Quote } from '@darkroom-service/contract';
import { Alert, Button, Kbd, Popover, Table, Text, UnstyledButton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconWand } from '@tabler/icons-react';
import { silentSinceStore } from '../../api/connection.ts';
import type { BrokenRule } from '../../api/constraints.ts';
import { useSession } from '../../api/session.ts';
import { useStore } from '../../api/store.ts';
import { SmallButton } from '../../components/buttons.ts';
import orderForm from '../../components/order-form.module.css';
import { Fault, Small } from '../../components/words.tsx';
import { formatMoney } from '../../format.ts';
import { fieldLabelInSentence } from '../../texts/studio-labels.ts';
import { setOptions, setValue } from './draft.ts';
import classes from './make.module.css';
import { OrderFault, PriceMissing } from './order/order-fault.tsx';
import { orderWord } from './order/price-words.ts';
import { useOrdering } from './order/use-ordering.ts';
import type { OptionFaults } from './order-options.ts';

/** The footer of the form: the price, the errors that prevent the order, and the button. */
export function Placing({
  quote,
  pending,
  broken,
  optionFaults,
  refusal,
  missing,
  priceFailed,
  isBlocked,
  onCreate,
}: {
  readonly quote: Quote | undefined;
  readonly pending: boolean;
  readonly broken: readonly BrokenRule[];
  readonly optionFaults: OptionFaults;
  /** Errors of the service that do not belong to any field of the form. */
  readonly refusal: string | null;
  readonly missing: string | null;
  /** Whether the service returned no price; the console retries. */
  readonly priceFailed: boolean;
  readonly isBlocked: boolean;
  readonly onCreate: () => void;
}) {
  const { mode } = useSession();
  const ordering = useOrdering();
  const isSilent = useStore(silentSinceStore) !== null;
  const [announced] = useDebouncedValue(quote?.amount, 1_200);
  return (
    <div className={orderForm.placing}>
      {broken.map((rule) => (
        <BrokenRuleNote key={rule.message} rule={rule} />
      ))}
      {refusal !== null && <Fault>{refusal}</Fault>}
      <OptionFaultNotes faults={optionFaults} />
      {priceFailed && <PriceMissing />}
      {(ordering.unconfirmed !== null || (ordering.refusal ?? ordering.asked)?.isOffer !== true) && <OrderFault />}
      <div className={classes.placeRow}>
        <PriceTag quote={quote} pending={pending} />
        <Button
          size="md"
          classNames={{ root: classes.create ?? '', label: classes.createWords ?? '' }}
          leftSection={<IconWand size={18} />}
          onClick={onCreate}
          loading={ordering.isPending}
          disabled={isBlocked}
        >
          {orderWord(mode, quote)}
        </Button>
      </div>
      <Small className={classes.hint ?? ''}>
        {missing !== null ? (
          missing
        ) : isBlocked ? null : isSilent ? (
          'The service does not answer. If you order now, the order is kept and sent when the service is back, within ten minutes.'
        ) : (
          <>
            <Kbd size="xs">Ctrl</Kbd> <Kbd size="xs">Enter</Kbd> to order
          </>
        )}
      </Small>
      <output className="visually-hidden">{announced === undefined ? '' : `Price ${announced}`}</output>
    </div>
  );
}

/** Errors of the options, shown beside the disabled button because the options may be collapsed. */
function OptionFaultNotes({ faults: { maxPrice, ...others } }: { readonly faults: OptionFaults }) {
  return (
    <>
      {maxPrice !== undefined && (
        <Alert variant="light" color="safelight" p="sm" role="alert">
          <Text size="sm">{maxPrice}</Text>
          <SmallButton mt={8} onClick={() => setOptions({ maxPrice: '' })}>
            Remove the limit
          </SmallButton>
        </Alert>
      )}
      {Object.values(others).map((fault) => (
        <Fault key={fault}>{fault}</Fault>
      ))}
    </>
  );
}

function BrokenRuleNote({ rule: { message, fix } }: { readonly rule: BrokenRule }) {
  return (
    <Alert variant="light" color="safelight" p="sm" role="alert">
      <Text size="sm">{message}</Text>
      {fix !== null && (
        <SmallButton mt={8} onClick={() => setValue(fix.name, fix.value)}>
          {fix.value === null
            ? `Leave out ${fieldLabelInSentence(fix.name)}`
            : `Set ${fieldLabelInSentence(fix.name)} to ${String(fix.value)}`}
        </SmallButton>
      )}
    </Alert>
  );
}

/** The current price with its lines on demand. Keeps its space while it is calculated. */
function PriceTag({ quote, pending }: { readonly quote: Quote | undefined; readonly pending: boolean }) {
  const { mode } = useSession();
  if (quote === undefined)
    return (
      <span className={classes.price} data-pending>
        {pending ? <span className="visually-hidden">Calculating the price</span> : '—'}
      </span>
    );
  return (
    <Popover position="top-start" width={320}>
      <Popover.Target>
        <UnstyledButton className={classes.price} data-pending={pending || undefined} data-mode={mode}>
          <span className="visually-hidden">Price breakdown: </span>
          {!quote.exact && <span className={classes.atMost}>at most</span>}{' '}
          <span className="figures" data-testid="price">
            {formatMoney(quote.amount)}
          </span>{' '}
          {mayCostMore(quote) && <span className={classes.atMost}>up to {formatMoney(quote.highest_amount)}</span>}{' '}
          {mode === 'test' && (
            <span className={classes.atMost} data-testid="price-money">
              play money
            </span>
          )}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown>
        <Text fw={600} size="sm" mb="xs">
          Price breakdown
        </Text>
        <Table verticalSpacing={4} fz="sm" withRowBorders={false}>
          <Table.Tbody>
            {quote.lines.map((line) => (
              <Table.Tr key={line.description}>
                <Table.Td px={0}>{line.description}</Table.Td>
                <Table.Td ta="right" className="figures" c="dimmed">
                  {line.quantity} × {formatMoney(line.unit_price)}
                </Table.Td>
                <Table.Td ta="right" px={0} className="figures">
                  {formatMoney(line.amount)}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        {!quote.exact && <Small mt="xs">The measured amount is charged, never more than this.</Small>}
        {mayCostMore(quote) && (
          <Small mt="xs">
            {`${formatMoney(quote.highest_amount)} is reserved: a dearer upstream may make it. Only its price is charged.`}
          </Small>
        )}
        {mode === 'test' && <Small mt="xs">Test key: nothing is charged</Small>}
      </Popover.Dropdown>
    </Popover>
  );
}

/** Tells whether the order holds more than the price of the quote. */
function mayCostMore(quote: Quote): quote is Quote & { readonly highest_amount: string } {
  return typeof quote.highest_amount === 'string' && quote.highest_amount !== quote.amount;
}
