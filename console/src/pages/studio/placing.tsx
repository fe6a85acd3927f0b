import type { QuoteView as Quote } from '@darkroom-service/contract/task';
import { Alert, Button, Kbd, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconWand } from '@tabler/icons-react';
import { silentSinceStore } from '../../api/connection.ts';
import type { BrokenRule } from '../../api/constraints.ts';
import { useStore } from '../../api/store.ts';
import { SmallButton } from '../../components/buttons.ts';
import { Fault, Hint, Small } from '../../components/words.ts';
import { optionTexts } from '../../texts/options.ts';
import { studioTexts } from '../../texts/studio.ts';
import { fieldLabelInSentence } from '../../texts/studio-labels.ts';
import { setOptions, setValue } from './draft.ts';
import { OrderFault } from './order-fault.tsx';
import type { OptionFaults } from './order-options.ts';
import { PriceTag } from './price-tag.tsx';
import classes from './studio.module.css';
import type { Ordering } from './use-ordering.ts';

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
  ordering,
  onCreate,
}: {
  readonly quote: Quote | undefined;
  readonly pending: boolean;
  readonly broken: readonly BrokenRule[];
  readonly optionFaults: OptionFaults;
  /** Errors of the service that belong to no field of the form. */
  readonly refusal: string | null;
  readonly missing: string | null;
  /** The service gave no price; the console retries. */
  readonly priceFailed: boolean;
  readonly isBlocked: boolean;
  readonly ordering: Ordering;
  readonly onCreate: () => void;
}) {
  const isSilent = useStore(silentSinceStore) !== null;
  const [announced] = useDebouncedValue(quote?.amount, 1_200);
  return (
    <div className={classes.placing}>
      {broken.map((rule) => (
        <BrokenRuleNote key={rule.message} rule={rule} />
      ))}
      {refusal !== null && <Fault>{refusal}</Fault>}
      <OptionFaultNotes faults={optionFaults} />
      {priceFailed && <Hint role="status">{studioTexts.price.failed}</Hint>}
      {(ordering.unconfirmed !== null || ordering.refusal?.kind !== 'action') && <OrderFault ordering={ordering} />}
      <div className={classes.placeRow}>
        <PriceTag quote={quote} pending={pending} />
        <Button
          size="md"
          className={classes.create ?? ''}
          leftSection={<IconWand size={18} />}
          onClick={onCreate}
          loading={ordering.isPending}
          disabled={isBlocked}
        >
          {studioTexts.create}
        </Button>
      </div>
      <Small className={classes.hint ?? ''}>
        {missing !== null ? (
          missing
        ) : isBlocked ? null : isSilent ? (
          studioTexts.sentWhenBack
        ) : (
          <>
            <Kbd size="xs">Ctrl</Kbd> <Kbd size="xs">Enter</Kbd> {studioTexts.shortcut}
          </>
        )}
      </Small>
      <output className="visually-hidden">
        {announced === undefined ? '' : `${studioTexts.price.label} ${announced}`}
      </output>
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
            {optionTexts.withoutLimit}
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
            ? studioTexts.leaveOut(fieldLabelInSentence(fix.name))
            : studioTexts.fix(fieldLabelInSentence(fix.name), String(fix.value))}
        </SmallButton>
      )}
    </Alert>
  );
}
