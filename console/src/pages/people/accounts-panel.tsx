import { Group } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useMay } from '../../api/may.ts';
import { useApi } from '../../api/use-api.ts';
import { PlainButton, SmallButton } from '../../components/buttons.ts';
import { DialogAbout } from '../../components/dialog.tsx';
import { atOnce, ListPanel } from '../../components/list-panel.tsx';
import { formatMoney } from '../../components/money.tsx';
import { Named } from '../../components/two-lines.tsx';
import { formatMinute } from '../../format.ts';
import { keysTexts } from '../../texts/keys.ts';
import { AccountForm } from './account-form.tsx';
import { CreditForm } from './credit-form.tsx';
import { MarkingForm } from './marking-form.tsx';
import type { AccountRow } from './rows.ts';

const texts = keysTexts.accounts;

/** Accounts with their balances and terms, and what the session may change of them. */
export function AccountsPanel({ onNotice }: { readonly onNotice: (text: string) => void }) {
  const may = useMay();
  const accounts = useApi('GET /admin/v1/accounts', {});
  const [credited, setCredited] = useState<AccountRow | null>(null);
  /** `new`: one that is created. */
  const [changed, setChanged] = useState<AccountRow | 'new' | null>(null);
  const [marked, setMarked] = useState<AccountRow | null>(null);
  const [closeCredit, closeChange] = [() => setCredited(null), () => setChanged(null)];
  const closeMarked = () => setMarked(null);
  return (
    <>
      <ListPanel
        pages={atOnce(accounts)}
        title={texts.title}
        hint={texts.hint}
        empty=""
        aside={
          may('POST /admin/v1/accounts') && (
            <PlainButton leftSection={<IconPlus size={16} aria-hidden="true" />} onClick={() => setChanged('new')}>
              {texts.create}
            </PlainButton>
          )
        }
        rowKey={(account) => account.account_id}
        columns={[
          {
            head: texts.heads.account,
            phone: 'title',
            cell: ({ name, account_id: id }) => <Named name={name} more={id !== name && id} />,
          },
          { head: texts.heads.balance, phone: 'aside', numeric: true, cell: (account) => formatMoney(account.balance) },
          { head: texts.heads.credit, phone: 'note', cell: creditOf },
          { head: texts.heads.terms, phone: 'note', cell: termsOf },
          {
            head: texts.heads.actions,
            actions: true,
            cell: (account) => (
              <Group gap={6} wrap="nowrap" justify="flex-end">
                {may('POST /admin/v1/accounts/{account_id}/credit') && (
                  <SmallButton aria-label={texts.creditOf(account.name)} onClick={() => setCredited(account)}>
                    {texts.credit}
                  </SmallButton>
                )}
                {may('PATCH /admin/v1/accounts/{account_id}') && (
                  <SmallButton aria-label={texts.changeOf(account.name)} onClick={() => setChanged(account)}>
                    {texts.change}
                  </SmallButton>
                )}
                {may('PUT /admin/v1/accounts/{account_id}/provenance') && (
                  <SmallButton aria-label={texts.markOf(account.name)} onClick={() => setMarked(account)}>
                    {texts.mark}
                  </SmallButton>
                )}
              </Group>
            ),
          },
        ]}
      />
      <DialogAbout
        about={changed}
        title={(account) => (account === 'new' ? keysTexts.newAccount.title : keysTexts.change.title(account.name))}
        onClose={closeChange}
      >
        {(account) => <AccountForm account={account === 'new' ? null : account} onClose={closeChange} />}
      </DialogAbout>
      <DialogAbout about={marked} title={({ name }) => keysTexts.marking.title(name)} onClose={closeMarked}>
        {(account) => (
          <MarkingForm
            account={account}
            onClose={closeMarked}
            onChanged={(notice) => {
              closeMarked();
              onNotice(notice);
            }}
          />
        )}
      </DialogAbout>
      <DialogAbout about={credited} title={({ name }) => keysTexts.credit.title(name)} onClose={closeCredit}>
        {(account) => (
          <CreditForm
            account={account}
            onClose={closeCredit}
            onCredited={({ name, balance }, earlier) => {
              closeCredit();
              const { done, doneBefore } = keysTexts.credit;
              const amount = formatMoney(balance);
              onNotice(
                earlier === null
                  ? done(name, amount)
                  : doneBefore(name, amount, formatMinute(new Date(earlier).toISOString())),
              );
            }}
          />
        )}
      </DialogAbout>
    </>
  );
}

function creditOf({ credit_limit: limit }: AccountRow): string {
  if (limit === null) return texts.unlimited;
  return Number(limit) === 0 ? texts.prepaid : formatMoney(limit);
}

function termsOf({ price_rules: rules, hidden_models: hidden }: AccountRow): string {
  const parts = [
    ...(rules.length === 0 ? [] : [texts.rules(rules.length)]),
    ...(hidden.length === 0 ? [] : [texts.hidden(hidden.length)]),
  ];
  return parts.length === 0 ? texts.defaults : parts.join(', ');
}
