import type { OwnAccountView as Account } from '@darkroom-service/contract';
import { Text } from '@mantine/core';
import { LimitBar } from '../../components/inputs.tsx';
import { Money } from '../../components/money.tsx';
import { Panel } from '../../components/panel.tsx';
import { formatCount, formatMinute, formatMoney } from '../../format.ts';
import classes from './usage.module.css';

const WINDOWS = [
  ['day', 'Today'],
  ['month', 'This month'],
  ['total', 'In total'],
] as const;

/** The balance, and the amount that the key in use may still spend. */
export function AccountPanel({
  account,
  isKey,
}: {
  readonly account: Account;
  /** Whether an API key is in use: people have no rates of their own. */
  readonly isKey: boolean;
}) {
  const { key } = account;
  const windows = WINDOWS.flatMap(([name, label]) => {
    const limit = key.spend_limits[name];
    return limit === null ? [] : [{ label, ...limit }];
  });
  return (
    <Panel
      title="Balance and limits"
      hint={account.mode === 'test' ? 'Test orders are paid with play money, which has no limit.' : 'Of live orders'}
    >
      <dl className={classes.account}>
        <div>
          <dt>{account.mode === 'test' ? 'Play money' : 'Balance'}</dt>
          <dd className={classes.big}>
            <Money amount={account.balance} />
          </dd>
          <Text component="dd" size="sm" c="dimmed">
            {account.credit_limit === null
              ? 'Without limit: pays later'
              : `Credit limit ${formatMoney(account.credit_limit)}`}
          </Text>
        </div>
        <div>
          <dt>Held for orders in progress</dt>
          <dd className={classes.big}>
            <Money amount={account.held} />
          </dd>
        </div>
        {windows.map(({ label, spent, limit }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd className="figures">{`${formatMoney(spent)} of ${formatMoney(limit)}`}</dd>
            <dd>
              <LimitBar used={Number(spent)} limit={Number(limit)} label={label} mt={6} />
            </dd>
          </div>
        ))}
        {isKey && (
          <div>
            <dt>Rates</dt>
            <Text component="dd" size="sm">
              {`${key.rpm === 0 ? 'Any number of' : formatCount(key.rpm)} orders and ${key.read_rpm === 0 ? 'any number of' : formatCount(key.read_rpm)} reads a minute`}
              , {key.concurrency === 0 ? 'any number at once' : `${key.concurrency} at once`}
            </Text>
            {windows.length === 0 && (
              <Text component="dd" size="sm" c="dimmed">
                This key has no spend limit.
              </Text>
            )}
          </div>
        )}
        {isKey && key.expires_at !== null && (
          <div>
            <dt>Key expires</dt>
            <dd>{formatMinute(key.expires_at)}</dd>
          </div>
        )}
      </dl>
    </Panel>
  );
}
