import type { Migration } from '@darkroom-service/store';
import { creationOf } from './statements.ts';

const usedIn = (period: string) =>
  `(select used from meters where meters.subject = counted_keys.subject and kind = 'spend' and period = ${period})`;

/** Expressions that both databases write differently. */
export const IN_SQL = {
  sqlite: {
    digest: (value: string) => `substr(darkroom_digest(${value}), 1, 32)`,
    monthOf: (time: string) =>
      `((strftime('%Y', ${time} / 1000, 'unixepoch') - 1970) * 12 + strftime('%m', ${time} / 1000, 'unixepoch') - 1)`,
    dayIn: (date: string) => `strftime('%s', ${date}) / 86400`,
  },
  postgres: {
    digest: (value: string) =>
      `translate(substr(encode(sha256(convert_to(${value.replace('char(', 'chr(')}, 'UTF8')), 'base64'), 1, 32), '+/', '-_')`,
    monthOf: (time: string) =>
      `((extract(year from to_timestamp(${time} / 1000) at time zone 'UTC') - 1970) * 12
        + extract(month from to_timestamp(${time} / 1000) at time zone 'UTC') - 1)`,
    dayIn: (date: string) => `cast(${date} as date) - date '1970-01-01'`,
  },
} as const;

/** Counts what each end user spends in a row. Orders name it by a digest, which stays when they are erased. */
export const spending: Migration = {
  version: 71,
  name: 'spending',
  statements: (kind) => {
    const { digest, monthOf, dayIn } = IN_SQL[kind];
    return [
      'alter table tasks add column scope text',
      `update tasks set scope = coalesce(erased_end_user, ${digest('api_key_id || char(10) || end_user')})
        where end_user is not null or erased_end_user is not null`,
      `create table spending (
        subject text not null, day bigint not null, day_used bigint not null, month bigint not null,
        month_used bigint not null, total_used bigint not null, constraint spending_pk primary key (subject)
      )`,
      `insert into spending (subject, day, day_used, month, month_used, total_used)
        select subject, last_day, sum(case when day = last_day then amount else 0 end), last_month,
          sum(case when month = last_month then amount else 0 end), sum(amount)
        from (select dated.*, max(day) over (partition by subject) as last_day,
            max(month) over (partition by subject) as last_month
          from (select scope as subject, created_at / 86400000 as day, ${monthOf('created_at')} as month,
              case when step = 'final' then coalesce(charged, 0) else price end as amount
            from tasks where scope is not null
            union all
            select erased_end_user, created_at / 86400000, ${monthOf('created_at')}, charged from removed_spending
          ) as dated) as orders
        group by subject, last_day, last_month`,
      `insert into spending (subject, day, day_used, month, month_used, total_used)
        select subject, coalesce(${dayIn('substr(last_day, 5)')}, 0), coalesce(${usedIn('last_day')}, 0),
          coalesce((cast(substr(last_month, 7, 4) as bigint) - 1970) * 12 + cast(substr(last_month, 12) as bigint) - 1, 0),
          coalesce(${usedIn('last_month')}, 0), coalesce(${usedIn("'total'")}, 0)
        from (select subject, max(case when period like 'day:%' then period end) as last_day,
            max(case when period like 'month:%' then period end) as last_month
          from meters where kind = 'spend' group by subject) as counted_keys`,
      "delete from meters where kind = 'spend'",
      'drop table removed_spending',
      'drop index if exists tasks_spending',
      'drop index if exists tasks_erased_spending',
      'alter table tasks drop column erased_end_user',
      ...creationOf('tasks').filter((statement) => /^create index tasks_(open_)?by_scope /.test(statement)),
      "delete from end_users where limits_json = '{}'",
      ...['at', 'day', 'month', 'total'].map((name) => `alter table end_users drop column closed_${name}`),
    ];
  },
};
