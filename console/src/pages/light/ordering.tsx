import { Alert, Button, Group, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconLayoutGrid } from '@tabler/icons-react';
import type { CatalogModel } from '../../api/model.ts';
import { useSession } from '../../api/session.ts';
import { SmallButton } from '../../components/buttons.ts';
import { formatMoney } from '../../components/money.tsx';
import { Fault, Hint, Small } from '../../components/words.ts';
import { typedAmount } from '../../format.ts';
import { frameTexts } from '../../texts/frame.ts';
import { lightTexts } from '../../texts/light.ts';
import type { BatchEntry } from './batch-body.ts';
import classes from './light-form.module.css';
import { refusedEntries } from './refused-entries.ts';
import type { useBatchOrdering } from './use-batch-ordering.ts';
import { useBatchQuote } from './use-batch-quote.ts';

const texts = lightTexts.price;
const AMOUNT = /^\d+(\.\d{1,6})?$/;

/** The price of all orders together, its limit, what the service refuses, and the button. */
export function Ordering({
  entries,
  models,
  kind,
  ceiling,
  onCeiling,
  onLeaveOut,
  ordering,
  onOrder,
}: {
  readonly entries: readonly BatchEntry[];
  /** The model of each entry. */
  readonly models: readonly CatalogModel[];
  readonly kind: 'image' | 'video';
  readonly ceiling: string;
  readonly onCeiling: (ceiling: string) => void;
  /** Leaves out the orders of these bodies, as JSON. */
  readonly onLeaveOut: ((bodies: readonly string[]) => void) | null;
  readonly ordering: ReturnType<typeof useBatchOrdering>;
  /** Orders at most at a price, which may be above the shown one. */
  readonly onOrder: (maxPrice: string, price: string) => void;
}) {
  const { mode } = useSession();
  const { quote, refusal, pending, failed } = useBatchQuote(entries);
  const [announced] = useDebouncedValue(pending ? undefined : quote?.amount, 1_000);
  const refused = refusal === null ? [] : refusedEntries(refusal, entries, models);
  const limitFault =
    ceiling === ''
      ? undefined
      : !AMOUNT.test(ceiling)
        ? texts.ceilingFault
        : quote !== undefined && Number(quote.amount) > Number(ceiling)
          ? texts.above(formatMoney(quote.amount), formatMoney(ceiling))
          : undefined;
  // Orders only at the price shown for exactly this form.
  const price = pending ? undefined : quote?.amount;
  const isBlocked =
    entries.length === 0 || price === undefined || limitFault !== undefined || ordering.unconfirmed !== null;
  const names = new Map(models.map(({ model_id: id, name }) => [id, name]));
  return (
    <div className={classes.ordering}>
      {quote !== undefined && (
        <ul className={classes.lines} data-pending={pending || undefined}>
          {quote.models.map(({ model_id: id, orders, amount }) => (
            <li key={id}>
              <span>{names.get(id) ?? id}</span>
              <span className="figures">{texts.perModel(orders, formatMoney(amount))}</span>
            </li>
          ))}
        </ul>
      )}
      {refused.length > 0 && onLeaveOut !== null && (
        <Alert variant="light" color="safelight" p="sm" role="alert" title={lightTexts.plan.refused}>
          <ul className={classes.faults}>
            {refused.map(({ model, message, bodies }) => (
              <li key={`${model} ${message}`}>
                <b>{model}</b> {message} · {lightTexts.plan.count(bodies.length, kind)}
              </li>
            ))}
          </ul>
          <SmallButton mt={8} onClick={() => onLeaveOut(refused.flatMap(({ bodies }) => bodies))}>
            {lightTexts.plan.refuse}
          </SmallButton>
        </Alert>
      )}
      {refusal !== null && (refused.length === 0 || onLeaveOut === null) && <Fault>{refusal.message}</Fault>}
      {failed && <Hint role="status">{texts.failed}</Hint>}
      <div className={classes.priceRow}>
        <div className={classes.price} data-pending={pending || undefined}>
          <span className={classes.priceLabel}>
            {texts.label}
            {quote !== undefined && !quote.exact && `, ${texts.atMost}`}
          </span>
          <span className="figures" data-testid="table-price">
            {quote === undefined ? texts.none : formatMoney(quote.amount)}
          </span>
        </div>
        <TextInput
          label={texts.ceiling}
          leftSection="$"
          placeholder={quote?.amount ?? ''}
          value={ceiling}
          onChange={({ currentTarget }) => onCeiling(typedAmount(currentTarget.value))}
          error={limitFault}
          inputMode="decimal"
          inputWrapperOrder={['label', 'input', 'error']}
        />
      </div>
      <Small>
        {texts.ceilingHelp} {mode === 'test' ? texts.test : texts.live}
      </Small>
      <OrderState ordering={ordering} />
      <Button
        size="md"
        leftSection={<IconLayoutGrid size={18} aria-hidden="true" />}
        disabled={isBlocked}
        loading={ordering.isPending}
        onClick={() => !isBlocked && price !== undefined && onOrder(ceiling === '' ? price : ceiling, price)}
      >
        {entries.length === 0
          ? lightTexts.orderNothing[kind]
          : lightTexts.order(lightTexts.plan.count(entries.length, kind))}
      </Button>
      <output className="visually-hidden">
        {announced === undefined ? '' : `${texts.label} ${formatMoney(announced)}`}
      </output>
    </div>
  );
}

/** Tells that the last order is unconfirmed, or why it was refused. */
export function OrderState({
  ordering: { unconfirmed, refusal, repeat, giveUp },
}: {
  readonly ordering: ReturnType<typeof useBatchOrdering>;
}) {
  if (unconfirmed !== null)
    return (
      <Alert variant="light" color="red" p="sm" role="alert" title={lightTexts.unknown}>
        <Text size="sm">{lightTexts.unknownHint}</Text>
        <Group gap="xs" mt={8}>
          <SmallButton onClick={repeat}>{frameTexts.tryAgain}</SmallButton>
          <Button size="xs" variant="subtle" color="gray" onClick={giveUp} title={lightTexts.giveUpHint}>
            {lightTexts.giveUp}
          </Button>
        </Group>
      </Alert>
    );
  if (refusal === null) return null;
  return (
    <Alert variant="light" color="red" p="sm" role="alert" title={lightTexts.orderFailed}>
      <Text size="sm">{refusal.message}</Text>
    </Alert>
  );
}
