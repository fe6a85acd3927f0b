import { Alert, Button, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconLayoutGrid } from '@tabler/icons-react';
import type { Ref } from 'react';
import type { ApiError } from '../../../api/api-error.ts';
import type { CatalogModel } from '../../../api/model.ts';
import { useSession } from '../../../api/session.ts';
import { SmallButton } from '../../../components/buttons.ts';
import { Fault, Small } from '../../../components/words.tsx';
import { formatMany, formatMoney, typedAmount } from '../../../format.ts';
import { withFieldLabel } from '../../../texts/studio-labels.ts';
import { OrderFault, PriceMissing } from '../order/order-fault.tsx';
import { faultOfLimit, orderWord } from '../order/price-words.ts';
import { useOrdering } from '../order/use-ordering.ts';
import { useQuote } from '../order/use-quote.ts';
import { type BatchEntry, bodyOf } from './batch-body.ts';
import classes from './table-form.module.css';

const LONGEST_TITLE = 200;

/** The total price of all orders, its limit, the refused orders, and the button. */
export function TablePlacing({
  entries,
  models,
  kind,
  ceiling,
  onCeiling,
  onLeaveOut,
  title,
  button,
}: {
  readonly entries: readonly BatchEntry[];
  /** The model of each entry. */
  readonly models: readonly CatalogModel[];
  readonly kind: 'image' | 'video';
  readonly ceiling: string;
  readonly onCeiling: (ceiling: string) => void;
  /** Leaves out the orders with these bodies, as JSON. */
  readonly onLeaveOut: ((bodies: readonly string[]) => void) | null;
  /** Title of the table. */
  readonly title: string;
  /** Set to the button that orders. */
  readonly button?: Ref<HTMLButtonElement>;
}) {
  const { mode } = useSession();
  const ordering = useOrdering();
  const { quote, pending, failed, ...asked } = useQuote(
    'POST /v1/batches/prices',
    { orders: entries },
    entries.length > 0,
  );
  // A refusal names orders by their position, which differs in another form.
  const refusal = pending ? null : asked.refusal;
  const [announced] = useDebouncedValue(pending ? undefined : quote?.amount, 1_000);
  const refused = refusal === null ? [] : refusedEntries(refusal, entries, models);
  const limitFault = faultOfLimit(ceiling, pending ? undefined : quote?.amount);
  const isBlocked =
    entries.length === 0 ||
    (!pending && quote === undefined) ||
    limitFault !== undefined ||
    ordering.unconfirmed !== null;
  const order = () => {
    if (isBlocked) return;
    const name = title.slice(0, LONGEST_TITLE) || 'untitled';
    const wanted = {
      kind: 'batch',
      body: bodyOf(entries, name, ceiling),
      priced: { orders: entries },
      title: name,
    } as const;
    if (!pending && quote !== undefined) ordering.place(wanted, quote.amount);
    else ordering.press(wanted, ceiling === '' ? (quote?.amount ?? null) : ceiling);
  };
  const names = new Map(models.map(({ model_id: id, name }) => [id, name]));
  return (
    <div className={classes.ordering}>
      {quote !== undefined && (
        <ul className={classes.lines} data-pending={pending || undefined}>
          {quote.models.map(({ model_id: id, orders, amount }) => (
            <li key={id}>
              <span>{names.get(id) ?? id}</span>
              <span className="figures">
                {orders} · {formatMoney(amount)}
              </span>
            </li>
          ))}
        </ul>
      )}
      {refused.length > 0 && onLeaveOut !== null && (
        <Alert variant="light" color="safelight" p="sm" role="alert" title="The service does not accept these">
          <ul className={classes.faults}>
            {refused.map(({ model, message, bodies }) => (
              <li key={`${model} ${message}`}>
                <b>{model}</b> {message} · {formatMany(bodies.length, kind)}
              </li>
            ))}
          </ul>
          <SmallButton mt={8} onClick={() => onLeaveOut(refused.flatMap(({ bodies }) => bodies))}>
            Leave these out
          </SmallButton>
        </Alert>
      )}
      {refusal !== null && (refused.length === 0 || onLeaveOut === null) && <Fault>{refusal.message}</Fault>}
      {failed && <PriceMissing />}
      <div className={classes.priceRow}>
        <div className={classes.price} data-pending={pending || undefined}>
          <span className={classes.priceLabel}>
            Price of everything
            {quote !== undefined && !quote.exact && ', at most'}
          </span>
          <span className="figures" data-testid="table-price">
            {quote === undefined ? '—' : formatMoney(quote.amount)}
          </span>
        </div>
        <TextInput
          label="Price limit"
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
        If everything together costs more when the order arrives, nothing is ordered.{' '}
        {mode === 'test' ? 'Test key: nothing is charged.' : 'Charged to your account, one by one as they succeed.'}
      </Small>
      <OrderFault />
      <Button
        size="md"
        leftSection={<IconLayoutGrid size={18} aria-hidden="true" />}
        disabled={isBlocked}
        loading={ordering.isPending}
        onClick={order}
        ref={button}
      >
        {entries.length === 0 ? 'Make' : orderWord(mode, pending ? undefined : quote, entries.length)}
      </Button>
      <output className="visually-hidden">
        {announced === undefined ? '' : `Price of everything ${formatMoney(announced)}`}
      </output>
    </div>
  );
}

/** Orders that the service refuses for the same reason. */
interface RefusedEntries {
  readonly model: string;
  readonly message: string;
  /** Request bodies of these orders, as JSON. */
  readonly bodies: readonly string[];
}

/** Returns the refused orders of a quote by model and reason; empty if the error has another cause. */
function refusedEntries(
  { details }: ApiError,
  entries: readonly BatchEntry[],
  models: readonly CatalogModel[],
): readonly RefusedEntries[] {
  const groups = new Map<string, { model: string; message: string; bodies: Set<string> }>();
  for (const { param, message } of details) {
    const index = Number(/^orders\[(\d+)\]/.exec(param ?? '')?.[1] ?? -1);
    const [entry, model] = [entries[index], models[index]];
    if (entry === undefined || model === undefined) continue;
    const reason = withFieldLabel(message.replace(/^orders\[\d+\]: /, ''));
    const known = groups.get(`${model.model_id} ${reason}`) ?? {
      model: model.name,
      message: reason,
      bodies: new Set(),
    };
    known.bodies.add(JSON.stringify(entry.body));
    groups.set(`${model.model_id} ${reason}`, known);
  }
  return [...groups.values()].map((group) => ({ ...group, bodies: [...group.bodies] }));
}
