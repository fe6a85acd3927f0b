import { Group, NumberInput, Select, Stack, Text, TextInput } from '@mantine/core';
import { FieldLabel } from '../../components/fields/field-frame.tsx';
import { PairsField } from '../../components/fields/pairs-field.tsx';
import { Toggle } from '../../components/inputs.tsx';
import { Small } from '../../components/words.tsx';
import { typedAmount } from '../../format.ts';
import { setExplain, setOptions, setSimulate, useDraft } from './draft.ts';
import { LONGEST, MOST_PAIRS, type OrderOptions } from './order-options.ts';

const texts = {
  labels: {
    maxPrice: 'Price limit',
    endUser: 'Your customer’s id',
    webhookUrl: 'Webhook URL',
    metadata: 'Metadata',
  },
  help: {
    maxPrice: 'An order that costs more is refused and not charged (max_price).',
    endUser: 'The customer the order is for. Orders and usage can be filtered by it (end_user).',
    webhookUrl: 'Notified when this order ends, instead of the account’s default URL (webhook_url).',
    metadata: 'Up to 16 notes of your own, returned with the order (metadata).',
  },
  placeholders: { maxPrice: '0.50', endUser: 'customer-1042', webhookUrl: 'https://' },
  outcomes: {
    succeeded: 'Succeeds',
    content_policy: 'Refused: content policy',
    upstream_error: 'Fails upstream',
    timeout: 'Times out',
    outcome_unknown: 'Outcome unknown',
    stuck: 'Never ends by itself',
    late: 'Arrives too late',
  } as Readonly<Record<string, string>>,
} as const;

const FIRST_SECONDS = 2;
type Line = 'maxPrice' | 'endUser' | 'webhookUrl';

/** The field for the maximum price of the order, and with one the consent to dearer upstreams. */
export function PriceLimit({ fault }: { readonly fault: string | undefined }) {
  const { options } = useDraft();
  return (
    <>
      <TextInput
        {...lineOf('maxPrice', options, fault)}
        leftSection="$"
        inputMode="decimal"
        onChange={({ currentTarget }) => setOptions({ maxPrice: typedAmount(currentTarget.value) })}
      />
      {options.maxPrice !== '' && (
        <Toggle
          label="Allow dearer upstreams"
          description="While none is ready at the shown price, the order may go to a dearer one, up to the price limit (allow_dearer)."
          value={options.allowDearer}
          onChange={(allowDearer) => setOptions({ allowDearer })}
        />
      )}
    </>
  );
}

/** The options for programs that recognise their orders: customer id, webhook URL and metadata. */
export function OptionsFields({ faultOf }: { readonly faultOf: (option: keyof OrderOptions) => string | undefined }) {
  const { options } = useDraft();
  return (
    <>
      <TextInput
        {...lineOf('endUser', options, faultOf('endUser'))}
        maxLength={LONGEST.endUser}
        onChange={({ currentTarget }) => setOptions({ endUser: currentTarget.value })}
      />
      <TextInput
        {...lineOf('webhookUrl', options, faultOf('webhookUrl'))}
        type="url"
        onChange={({ currentTarget }) => setOptions({ webhookUrl: currentTarget.value.trim() })}
      />
      <PairsField
        label={texts.labels.metadata}
        help={texts.help.metadata}
        pairs={options.metadata}
        onChange={(metadata) => setOptions({ metadata })}
        most={MOST_PAIRS}
        longest={LONGEST}
        fault={faultOf('metadata')}
      />
    </>
  );
}

function lineOf(option: Line, options: OrderOptions, fault: string | undefined) {
  return {
    label: <FieldLabel label={texts.labels[option]} help={texts.help[option]} />,
    'aria-label': texts.labels[option],
    placeholder: texts.placeholders[option],
    value: options[option],
    error: fault,
  };
}

/** With a test key: the simulated outcome. */
export function SimulateFields() {
  const { simulate, explain } = useDraft();
  return (
    <Stack gap={6}>
      <Text size="sm" fw={500}>
        Simulate an outcome
      </Text>
      <Small>A test key can make an order fail, so that you can test how your program handles it.</Small>
      <Group grow align="flex-end" preventGrowOverflow={false} wrap="nowrap">
        <Select
          label="Outcome"
          data={Object.entries(texts.outcomes).map(([value, label]) => ({ value, label }))}
          value={simulate?.outcome ?? null}
          onChange={(outcome) =>
            setSimulate(outcome === null ? null : { outcome, seconds: simulate?.seconds ?? FIRST_SECONDS })
          }
          placeholder="No simulation"
          clearable
        />
        {simulate !== null && (
          <NumberInput
            label="After seconds"
            min={0}
            max={3600}
            value={simulate.seconds}
            onChange={(seconds) => setSimulate({ ...simulate, seconds: Number(seconds) || 0 })}
            maw={120}
          />
        )}
      </Group>
      <Toggle label="Explain how the prompt was understood" value={explain} onChange={setExplain} />
    </Stack>
  );
}
