import type { OwnAccountView as Account } from '@darkroom-service/contract/account';
import { Progress, Skeleton, Text } from '@mantine/core';
import { formatMoney, Money } from '../../components/money.tsx';
import { Panel } from '../../components/panel.tsx';
import { formatMinute } from '../../format.ts';
import { usageTexts } from '../../texts/usage.ts';
import classes from './usage.module.css';

const texts = usageTexts.account;
const NEARLY = 80;

/** The balance, and what this key may still spend. */
export function AccountPanel({ account }: { readonly account: Account | undefined }) {
  if (account === undefined) return <Skeleton h={170} radius={14} aria-hidden="true" />;
  const { key } = account;
  const windows = (['day', 'month', 'total'] as const).flatMap((name) => {
    const limit = key.spend_limits[name];
    return limit === null ? [] : [{ name, ...limit }];
  });
  return (
    <Panel title={texts.title} hint={account.mode === 'test' ? texts.testMoney : undefined}>
      <dl className={classes.account}>
        <div>
          <dt>{account.mode === 'test' ? texts.playMoney : texts.balance}</dt>
          <dd className={classes.big}>
            <Money amount={account.balance} />
          </dd>
          <Text component="dd" size="sm" c="dimmed">
            {account.credit_limit === null ? texts.unlimited : `${texts.credit} ${formatMoney(account.credit_limit)}`}
          </Text>
        </div>
        <div>
          <dt>{texts.held}</dt>
          <dd className={classes.big}>
            <Money amount={account.held} />
          </dd>
        </div>
        {windows.map(({ name, spent, limit }) => {
          const percent = Number(limit) === 0 ? 100 : Math.min(100, (Number(spent) / Number(limit)) * 100);
          return (
            <div key={name}>
              <dt>{texts.windows[name]}</dt>
              <dd className="figures">{texts.of(formatMoney(spent), formatMoney(limit))}</dd>
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
        <div>
          <dt>{texts.rates}</dt>
          <Text component="dd" size="sm">
            {texts.perMinute(key.rpm, key.read_rpm)}, {texts.atOnce(key.concurrency)}
          </Text>
          {windows.length === 0 && (
            <Text component="dd" size="sm" c="dimmed">
              {texts.noLimits}
            </Text>
          )}
        </div>
        {key.expires_at !== null && (
          <div>
            <dt>{texts.expires}</dt>
            <dd>{formatMinute(key.expires_at)}</dd>
          </div>
        )}
      </dl>
    </Panel>
  );
}
