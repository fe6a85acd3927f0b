import { IconPlus } from '@tabler/icons-react';
import { useMay } from '../../api/may.ts';
import { useApi } from '../../api/use-api.ts';
import { DialogButton } from '../../components/dialog.tsx';
import { atOnce, ListPanel } from '../../components/list-panel.tsx';
import { formatMoney } from '../../components/money.tsx';
import { Named } from '../../components/two-lines.tsx';
import { formatMinute } from '../../format.ts';
import { keysTexts } from '../../texts/keys.ts';
import { AccountForm } from './account-form.tsx';
import { CreditForm } from './credit-form.tsx';
import { MarkingForm } from './marking-form.tsx';
import type { AccountRow } from './rows.ts';
import { WithNotice } from './with-notice.tsx';

/** Accounts with their balances and terms, and what the session may change of them. */
function AccountsPanel({ onNotice }: { readonly onNotice: (text: string) => void }) {
  const may = useMay();
  const accounts = useApi('GET /admin/v1/accounts', {});
  const { newAccount, change, credit } = keysTexts;
  return (
    <ListPanel
      pages={atOnce(accounts)}
      title="Accounts"
      hint="The balance of an account pays for live orders. Each key belongs to one account."
      empty=""
      aside={
        may('POST /admin/v1/accounts') && (
          <DialogButton
            word="New account"
            title={newAccount.title}
            leftSection={<IconPlus size={16} aria-hidden="true" />}
            form={(onClose) => <AccountForm account={null} onClose={onClose} />}
          />
        )
      }
      rowKey={(account) => account.account_id}
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
          title: ({ name }) => credit.title(name),
          form: (account, onClose) => (
            <CreditForm
              account={account}
              onClose={onClose}
              onCredited={({ name, balance }, earlier) => {
                onClose();
                const amount = formatMoney(balance);
                onNotice(
                  earlier === null
                    ? credit.done(name, amount)
                    : credit.doneBefore(name, amount, formatMinute(new Date(earlier).toISOString())),
                );
              }}
            />
          ),
        },
        may('PATCH /admin/v1/accounts/{account_id}') && {
          word: 'Change',
          name: ({ name }) => `Change ${name}`,
          title: ({ name }) => change.title(name),
          form: (account, onClose) => <AccountForm account={account} onClose={onClose} />,
        },
        may('PUT /admin/v1/accounts/{account_id}/provenance') && {
          word: 'Marking',
          name: ({ name }) => `Marking of ${name}`,
          form: (account, onClose) => (
            <MarkingForm
              account={account}
              onClose={onClose}
              onChanged={(notice) => {
                onClose();
                onNotice(notice);
              }}
            />
          ),
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
    ...(rules.length === 0 ? [] : [rules.length === 1 ? '1 price rule' : `${rules.length} price rules`]),
    ...(hidden.length === 0 ? [] : [hidden.length === 1 ? '1 hidden pattern' : `${hidden.length} hidden patterns`]),
  ];
  return parts.length === 0 ? 'Default prices, every model' : parts.join(', ');
}

/** The accounts, their balances and terms. */
export function AccountsView() {
  return <WithNotice>{(tell) => <AccountsPanel onNotice={tell} />}</WithNotice>;
}
