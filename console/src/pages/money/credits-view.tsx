import { Text } from '@mantine/core';
import { perform } from '../../api/deeds.ts';
import { useMay } from '../../api/may.ts';
import type { DataOf } from '../../api/operations.ts';
import { useApi, usePages } from '../../api/use-api.ts';
import { ListPanel } from '../../components/list-panel.tsx';
import { Money } from '../../components/money.tsx';
import { Moment, Named } from '../../components/words.tsx';
import { formatMoment, formatMoney } from '../../format.ts';

const TAKE_BACK = 'POST /admin/v1/credits/{credit_id}/take_back';
type Credit = DataOf<'GET /admin/v1/credits'>['items'][number];

/** The credits of all accounts. A wrong one can be taken back. */
export function CreditsView() {
  const may = useMay();
  const accounts = useApi('GET /admin/v1/accounts', {});
  const names = new Map(accounts.data?.items.map(({ account_id: id, name }) => [id, name]));
  const nameOf = ({ account_id: id }: Credit) => names.get(id) ?? id;
  const takeBackOf = (credit: Credit) => `Take back ${formatMoney(credit.amount)} of ${nameOf(credit)}`;
  return (
    <ListPanel
      pages={usePages('GET /admin/v1/credits', { limit: 50 }, ({ credit_id: id }) => id)}
      title="Credits"
      hint="What was added to the balances of accounts, newest first."
      empty="Nothing has been credited yet."
      columns={[
        { head: 'When', phone: 'note', cell: ({ created_at: at }) => <Moment at={at} /> },
        {
          head: 'Account',
          phone: 'title',
          cell: (credit) => <Named name={nameOf(credit)} more={<span className="free-text">{credit.note}</span>} />,
        },
        {
          head: 'Amount',
          phone: 'aside',
          numeric: true,
          cell: ({ amount, taken_back_at: at }) => (
            <Text span inherit {...(at === null ? {} : { c: 'dimmed' })}>
              <Money amount={amount} />
            </Text>
          ),
        },
      ]}
      told={({ taken_back_at: at }) => at !== null && `Taken back ${formatMoment(at)}`}
      deeds={[
        may(TAKE_BACK) && {
          word: 'Take back',
          name: takeBackOf,
          isOffered: ({ taken_back_at: at }) => at === null,
          act: (credit) => perform(TAKE_BACK, { path: { credit_id: credit.credit_id } }, `${takeBackOf(credit)}?`),
          failed: 'The credit was not taken back',
          says: 'The ledger of the account keeps both entries, and the second names the first. The balance may go below zero.',
        },
      ]}
    />
  );
}
