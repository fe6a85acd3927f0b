import { Button, Group, Skeleton, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { DataTable } from '../../../components/data-table.tsx';
import { ErrorNote } from '../../../components/error-note.tsx';
import { formatMoney } from '../../../components/money.tsx';
import { Panel } from '../../../components/panel.tsx';
import { formatMinute } from '../../../format.ts';
import { keysTexts } from '../../../texts/keys.ts';
import { AccountModal } from './account-modal.tsx';
import { CreditModal } from './credit-modal.tsx';
import type { AccountRow } from './rows.ts';

const texts = keysTexts.accounts;
type Asked = { readonly deed: 'credit' | 'change'; readonly account: AccountRow } | { readonly deed: 'create' } | null;

/** Accounts with their balances and terms. */
export function AccountsPanel({
  accounts,
  error,
  onRetry,
  onNotice,
}: {
  readonly accounts: readonly AccountRow[] | undefined;
  readonly error: Error | null;
  readonly onRetry: () => void;
  readonly onNotice: (text: string) => void;
}) {
  const [asked, setAsked] = useState<Asked>(null);
  const close = () => setAsked(null);
  return (
    <Panel
      title={texts.title}
      hint={texts.hint}
      flush
      aside={
        <Button
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden="true" />}
          onClick={() => setAsked({ deed: 'create' })}
        >
          {texts.create}
        </Button>
      }
    >
      {error !== null ? (
        <ErrorNote error={error} onRetry={onRetry} />
      ) : accounts === undefined ? (
        <Skeleton h={140} m="md" w="auto" aria-hidden="true" />
      ) : (
        <DataTable
          label={texts.title}
          rows={accounts}
          rowKey={(account) => account.account_id}
          columns={[
            { head: texts.heads.account, phone: 'title', cell: (account) => <AccountName account={account} /> },
            {
              head: texts.heads.balance,
              phone: 'aside',
              numeric: true,
              cell: (account) => formatMoney(account.balance),
            },
            { head: texts.heads.credit, phone: 'note', cell: (account) => creditOf(account) },
            { head: texts.heads.terms, phone: 'note', cell: (account) => termsOf(account) },
            {
              head: texts.heads.actions,
              actions: true,
              cell: (account) => (
                <Group gap={6} wrap="nowrap" justify="flex-end">
                  <Button
                    size="xs"
                    variant="default"
                    aria-label={texts.creditOf(account.name)}
                    onClick={() => setAsked({ deed: 'credit', account })}
                  >
                    {texts.credit}
                  </Button>
                  <Button
                    size="xs"
                    variant="default"
                    aria-label={texts.changeOf(account.name)}
                    onClick={() => setAsked({ deed: 'change', account })}
                  >
                    {texts.change}
                  </Button>
                </Group>
              ),
            },
          ]}
        />
      )}
      <AccountModal
        opened={asked?.deed === 'create' || asked?.deed === 'change'}
        account={asked?.deed === 'change' ? asked.account : null}
        onClose={close}
      />
      <CreditModal
        account={asked?.deed === 'credit' ? asked.account : null}
        onClose={close}
        onCredited={({ name, balance }, earlier) => {
          close();
          const { done, doneBefore } = keysTexts.credit;
          const amount = formatMoney(balance);
          onNotice(
            earlier === null
              ? done(name, amount)
              : doneBefore(name, amount, formatMinute(new Date(earlier).toISOString())),
          );
        }}
      />
    </Panel>
  );
}

function AccountName({ account }: { readonly account: AccountRow }) {
  return (
    <div>
      <Text size="sm" fw={550}>
        {account.name}
      </Text>
      {account.name !== account.account_id && (
        <Text size="xs" c="dimmed" ff="monospace">
          {account.account_id}
        </Text>
      )}
    </div>
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
