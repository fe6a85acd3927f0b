import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { perform } from '../../api/deeds.ts';
import { useDeed } from '../../api/use-deed.ts';
import { DialogForm } from '../../components/dialog-form.tsx';
import { formatMoney } from '../../components/money.tsx';
import { typedAmount } from '../../format.ts';
import { keysTexts } from '../../texts/keys.ts';
import type { AccountRow } from './rows.ts';

const texts = keysTexts.credit;
const AMOUNT = /^-?\d{1,9}(\.\d{1,6})?$/;

/** Adds to the balance of an account. */
export function CreditForm({
  account,
  onClose,
  onCredited,
}: {
  readonly account: AccountRow;
  readonly onClose: () => void;
  /** @param earlier when an earlier press had credited it; null if this one did */
  readonly onCredited: (account: AccountRow, earlier: number | null) => void;
}) {
  const [amount, setAmount] = useState('');
  const [note, setNote] = useState('');
  const [wasSent, setWasSent] = useState(false);
  const credit = useDeed(
    async () => {
      let earlier: number | null = null;
      const changed = await perform(
        'POST /admin/v1/accounts/{account_id}/credit',
        { path: { account_id: account.account_id }, body: { amount, ...(note === '' ? {} : { note }) } },
        `${texts.title(account.name)}: ${formatMoney(amount)}`,
        {
          onEarlier: (at) => {
            earlier = at;
          },
        },
      );
      return { changed, earlier };
    },
    ({ changed, earlier }) => onCredited(changed, earlier),
  );
  const isAmount = AMOUNT.test(amount);
  const submit = () => {
    setWasSent(true);
    if (isAmount) credit.mutate();
  };
  return (
    <DialogForm deed={credit} texts={texts} onSubmit={submit} onClose={onClose}>
      <TextInput
        label="Amount in dollars"
        description="A negative amount reduces the balance"
        inputMode="decimal"
        placeholder="25.00"
        error={wasSent && !isAmount ? 'Enter an amount in dollars, such as 25 or 25.00' : undefined}
        value={amount}
        onChange={(event) => setAmount(typedAmount(event.currentTarget.value))}
        data-autofocus
      />
      <TextInput
        label="Note"
        placeholder="Invoice 2026-114"
        maxLength={500}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
    </DialogForm>
  );
}
