import { Stack, TextInput } from '@mantine/core';
import { FieldLabel } from '../../components/fields/field-label.tsx';
import { PairsField } from '../../components/fields/pairs-field.tsx';
import { typedAmount } from '../../format.ts';
import { optionTexts as texts } from '../../texts/options.ts';
import { setOptions, useDraft } from './draft.ts';
import { LONGEST, MOST_PAIRS, type OrderOptions } from './order-options.ts';

/** The options of every order: price limit, customer id, webhook URL and metadata. */
export function OptionsFields({ faultOf }: { readonly faultOf: (option: keyof OrderOptions) => string | undefined }) {
  const { options } = useDraft();
  const line = (option: 'maxPrice' | 'endUser' | 'webhookUrl') => ({
    label: <FieldLabel label={texts.labels[option]} help={texts.help[option]} />,
    'aria-label': texts.labels[option],
    placeholder: texts.placeholders[option],
    value: options[option],
    error: faultOf(option),
  });
  return (
    <Stack gap="lg">
      <TextInput
        {...line('maxPrice')}
        leftSection="$"
        inputMode="decimal"
        onChange={({ currentTarget }) => setOptions({ maxPrice: typedAmount(currentTarget.value) })}
      />
      <TextInput
        {...line('endUser')}
        maxLength={LONGEST.endUser}
        onChange={({ currentTarget }) => setOptions({ endUser: currentTarget.value })}
      />
      <TextInput
        {...line('webhookUrl')}
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
    </Stack>
  );
}
