import { Text } from '@mantine/core';
import { useState } from 'react';
import { perform } from '../../api/deeds.ts';
import { useMay } from '../../api/may.ts';
import type { DataOf } from '../../api/operations.ts';
import { useApi } from '../../api/use-api.ts';
import { useDeed } from '../../api/use-deed.ts';
import { usePages } from '../../api/use-pages.ts';
import { SmallButton } from '../../components/buttons.ts';
import { DialogAbout } from '../../components/dialog.tsx';
import { DialogForm } from '../../components/dialog-form.tsx';
import { ListPanel } from '../../components/list-panel.tsx';
import { formatMoney, Money } from '../../components/money.tsx';
import { Moment, Named } from '../../components/two-lines.tsx';
import { formatMoment } from '../../format.ts';

const texts = {
  title: 'Credits',
  hint: 'What was added to the balances of accounts, newest first.',
  empty: 'Nothing has been credited yet.',
  heads: { when: 'When', account: 'Account', amount: 'Amount', actions: 'Actions' },
  takenBack: (when: string) => `Taken back ${when}`,
  takeBack: 'Take back',
  takeBackOf: (amount: string, account: string) => `Take back ${amount} of ${account}`,
  ask: (amount: string, account: string) => `Take back ${amount} of ${account}?`,
  text: 'The ledger of the account keeps both entries, and the second names the first. The balance may go below zero.',
  submit: 'Take back',
  failed: 'The credit was not taken back',
  unknown: 'It is not known whether the credit was taken back',
};

const PAGE_SIZE = 50;
const TAKE_BACK = 'POST /admin/v1/credits/{credit_id}/take_back';
type Credit = DataOf<'GET /admin/v1/credits'>['items'][number];

/** The credits of all accounts. A wrong one is taken back. */
export function CreditsView() {
  const may = useMay();
  const accounts = useApi('GET /admin/v1/accounts', {});
  const names = new Map(accounts.data?.items.map(({ account_id: id, name }) => [id, name]));
  const nameOf = ({ account_id: id }: Credit) => names.get(id) ?? id;
  const [asked, setAsked] = useState<Credit | null>(null);
  const close = () => setAsked(null);
  return (
    <>
      <ListPanel
        pages={usePages('GET /admin/v1/credits', { limit: PAGE_SIZE }, ({ credit_id: id }) => id)}
        title={texts.title}
        hint={texts.hint}
        empty={texts.empty}
        rowKey={({ credit_id: id }) => id}
        columns={[
          { head: texts.heads.when, phone: 'note', cell: ({ created_at: at }) => <Moment at={at} /> },
          {
            head: texts.heads.account,
            phone: 'title',
            cell: (credit) => <Named name={nameOf(credit)} more={<span className="free-text">{credit.note}</span>} />,
          },
          {
            head: texts.heads.amount,
            phone: 'aside',
            numeric: true,
            cell: ({ amount, taken_back_at: at }) => (
              <Text span inherit {...(at === null ? {} : { c: 'dimmed' })}>
                <Money amount={amount} />
              </Text>
            ),
          },
          {
            head: texts.heads.actions,
            actions: true,
            cell: (credit) =>
              credit.taken_back_at !== null
                ? texts.takenBack(formatMoment(credit.taken_back_at))
                : may(TAKE_BACK) && (
                    <SmallButton
                      aria-label={texts.takeBackOf(formatMoney(credit.amount), nameOf(credit))}
                      onClick={() => setAsked(credit)}
                    >
                      {texts.takeBack}
                    </SmallButton>
                  ),
          },
        ]}
      />
      <DialogAbout
        about={asked}
        title={(credit) => texts.ask(formatMoney(credit.amount), nameOf(credit))}
        onClose={close}
      >
        {(credit) => <TakeBackForm credit={credit} account={nameOf(credit)} onClose={close} />}
      </DialogAbout>
    </>
  );
}

function TakeBackForm({
  credit: { credit_id: id, amount },
  account,
  onClose,
}: {
  readonly credit: Credit;
  readonly account: string;
  readonly onClose: () => void;
}) {
  const takeBack = useDeed(
    () => perform(TAKE_BACK, { path: { credit_id: id } }, texts.ask(formatMoney(amount), account)),
    onClose,
  );
  return (
    <DialogForm deed={takeBack} texts={texts} isGrave onClose={onClose}>
      <Text size="sm">{texts.text}</Text>
    </DialogForm>
  );
}
