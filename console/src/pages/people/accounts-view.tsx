import { Select, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { perform } from '../../api/deeds.ts';
import { useMay } from '../../api/may.ts';
import type { DataOf } from '../../api/operations.ts';
import { notify } from '../../api/undo.ts';
import { useApi } from '../../api/use-api.ts';
import { AsSetNow } from '../../components/as-seen.tsx';
import { DeedForm, DialogButton } from '../../components/dialog.tsx';
import { Agreement } from '../../components/inputs.tsx';
import { ListPanel, singlePage } from '../../components/list-panel.tsx';
import { useDraft } from '../../components/use-draft.ts';
import { Hint, Named } from '../../components/words.tsx';
import { formatMany, formatMinute, formatMoney, typedAmount } from '../../format.ts';
import { AccountForm, type AccountRow } from './account-form.tsx';
import { AccountRuleForm } from './account-rule-form.tsx';

const AMOUNT = /^-?(0|[1-9]\d{0,8})(\.\d{1,6})?$/;
const SETTINGS = [
  { value: 'default', label: 'As the service is set' },
  { value: 'off', label: 'None' },
  { value: 'metadata', label: 'Metadata (XMP)' },
  { value: 'c2pa', label: 'Signed manifest (C2PA)' },
] as const;
type Marking = DataOf<'GET /admin/v1/accounts/{account_id}/provenance'>;
interface FormProps {
  readonly account: AccountRow;
}

/** Accounts with their balances and terms, and the permitted changes. */
export function AccountsView() {
  const may = useMay();
  const accounts = useApi('GET /admin/v1/accounts', {});
  return (
    <ListPanel
      pages={singlePage(accounts, (account) => account.account_id)}
      title="Accounts"
      hint="The balance of an account pays for live orders. Each key belongs to one account."
      empty=""
      aside={
        may('POST /admin/v1/accounts') && (
          <DialogButton word="New account" title="New account" leftSection={<IconPlus size={16} aria-hidden="true" />}>
            <AccountForm account={null} />
          </DialogButton>
        )
      }
      columns={[
        {
          head: 'Account',
          phone: 'title',
          cell: ({ name, account_id: id }) => <Named name={name} more={id !== name && id} />,
        },
        { head: 'Balance', phone: 'aside', numeric: true, cell: (account) => formatMoney(account.balance) },
        { head: 'Credit limit', phone: 'note', cell: creditOf },
        { head: 'Terms', phone: 'note', cell: termsOf },
      ]}
      deeds={[
        may('POST /admin/v1/accounts/{account_id}/credit') && {
          word: 'Credit',
          name: ({ name }) => `Credit ${name}`,
          form: (account) => <CreditForm account={account} />,
        },
        may('PATCH /admin/v1/accounts/{account_id}') && {
          word: 'Change',
          name: ({ name }) => `Change ${name}`,
          title: ({ name }) => `Terms of ${name}`,
          form: (account) => <AccountForm account={account} />,
        },
        may('PUT /admin/v1/accounts/{account_id}/provenance') && {
          word: 'Marking',
          name: ({ name }) => `Marking of ${name}`,
          form: (account) => <MarkingForm account={account} />,
        },
        may('PUT /admin/v1/accounts/{account_id}/data_rules') && {
          word: 'Data',
          name: ({ name }) => `Data of ${name}`,
          form: ({ account_id, name }) => <AccountRuleForm accountId={account_id} name={name} />,
        },
      ]}
    />
  );
}

function creditOf({ credit_limit: limit }: AccountRow): string {
  if (limit === null) return 'Pays later, no limit';
  return Number(limit) === 0 ? 'Prepaid' : formatMoney(limit);
}

function termsOf({ price_rules: rules, hidden_models: hidden }: AccountRow): string {
  const parts = [
    ...(rules.length === 0 ? [] : [formatMany(rules.length, 'price rule')]),
    ...(hidden.length === 0 ? [] : [formatMany(hidden.length, 'hidden pattern')]),
  ];
  return parts.length === 0 ? 'Default prices, every model' : parts.join(', ');
}

/** Adds to the balance of an account. */
function CreditForm({ account: { account_id, name } }: FormProps) {
  const { draft, change, field } = useDraft({ amount: '', note: '', wasSent: false });
  const { amount, note } = draft;
  const isAmount = AMOUNT.test(amount);
  const credit = async () => {
    const body = { amount, ...(note === '' ? {} : { note }) };
    const earlier: number[] = [];
    const { balance } = await perform(
      'POST /admin/v1/accounts/{account_id}/credit',
      { path: { account_id }, body },
      `Credit ${name}: ${formatMoney(amount)}`,
      { onEarlier: (at) => earlier.push(at) },
    );
    const before = earlier.map(
      (at) =>
        ` Your press at ${formatMinute(new Date(at).toISOString())} had credited it, and it was not credited again.`,
    );
    return `${name} now has ${formatMoney(balance)}.${before.join('')}`;
  };
  return (
    <DeedForm
      act={credit}
      check={() => {
        change({ wasSent: true });
        return isAmount;
      }}
      onDone={notify}
      submit="Credit"
      failed="It was not credited"
    >
      <TextInput
        label="Amount in dollars"
        description="A negative amount reduces the balance"
        inputMode="decimal"
        placeholder="25.00"
        error={draft.wasSent && !isAmount ? 'Enter an amount in dollars, such as 25 or 25.00' : undefined}
        value={amount}
        onChange={(event) => change({ amount: typedAmount(event.currentTarget.value) })}
        data-autofocus
      />
      <TextInput label="Note" placeholder="Invoice 2026-114" maxLength={500} {...field('note')} />
    </DeedForm>
  );
}

/** Sets how the outputs of an account are marked as machine-made. */
function MarkingForm(props: FormProps) {
  const path = { account_id: props.account.account_id };
  const marking = useApi('GET /admin/v1/accounts/{account_id}/provenance', { path }, { staleTime: 0 });
  return <AsSetNow of={marking}>{(now) => <MarkingFields {...props} marking={now} />}</AsSetNow>;
}

function MarkingFields({ account: { account_id, name }, marking }: FormProps & { readonly marking: Marking }) {
  const { draft, field } = useDraft({ setting: marking.setting ?? ('default' as const), prompt: marking.prompt });
  const { setting, prompt } = draft;
  const body = { setting: setting === 'default' ? null : setting, prompt };
  return (
    <DeedForm
      act={() => perform('PUT /admin/v1/accounts/{account_id}/provenance', { path: { account_id }, body })}
      onDone={() => notify(`The marking of ${name} is changed.`)}
      submit="Save"
      failed="The marking was not changed"
    >
      <Hint>
        Whether the files of its outputs say that a machine made them. A change applies to outputs stored from then on.
      </Hint>
      <Select
        label="Mark"
        description={!marking.can_sign && 'Signed manifests need DARKROOM_PROVENANCE_CERTIFICATE and its key.'}
        allowDeselect={false}
        data={SETTINGS.map((one) => ({ ...one, disabled: one.value === 'c2pa' && !marking.can_sign }))}
        {...field('setting')}
      />
      <Agreement label="The mark contains the prompt" {...field('prompt')} />
    </DeedForm>
  );
}
