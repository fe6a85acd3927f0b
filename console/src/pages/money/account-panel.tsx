import type { OwnAccountView as Account } from '@darkroom-service/contract/account';
import { Progress, Skeleton, Text } from '@mantine/core';
import { formatMoney, Money } from '../../components/money.tsx';
import { Panel } from '../../components/panel.tsx';
import { formatMinute } from '../../format.ts';
import { usageTexts } from '../../texts/usage.ts';
import classes from './usage.module.css';

const texts = usageTexts.account;
const NEARLY = 80;

/** The balance, and what the key in use may still spend. */
export function AccountPanel({
  account,
  isKey,
}: {
  readonly account: Account | undefined;
  /** Whether an API key is in use: people have no rates of their own. */
  readonly isKey: boolean;
}) {
  if (account === undefined) return <Skeleton h={170} radius={14} aria-hidden="true" />;
  const { key } = account;
  const windows = (['day', 'month', 'total'] as const).flatMap((name) => {
    const limit = key.spend_limits[name];
    return limit === null ? [] : [{ name, ...limit }];
  });
  return (
    <Panel
      title="Balance and limits"
      hint={account.mode === 'test' ? 'Test orders are paid with play money, which has no limit.' : undefined}
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
        {windows.map(({ name, spent, limit }) => {
          const percent = Number(limit) === 0 ? 100 : Math.min(100, (Number(spent) / Number(limit)) * 100);
          return (
            <div key={name}>
              <dt>{texts.windows[name]}</dt>
              <dd className="figures">{`${formatMoney(spent)} of ${formatMoney(limit)}`}</dd>
              <dd>
                <Progress
                  value={percent}
                  color={percent >= NEARLY ? 'red' : 'safelight'}
                  aria-label={texts.windows[name]}
                  mt={6}
                />
              </dd>
            </div>
          );
        })}
        {isKey && (
          <div>
            <dt>Rates</dt>
            <Text component="dd" size="sm">
              {texts.perMinute(key.rpm, key.read_rpm)},{' '}
              {key.concurrency === 0 ? 'any number at once' : `${key.concurrency} at once`}
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
