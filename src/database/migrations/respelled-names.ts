import { timeIdPrefix, world } from '@darkroom-service/contract';
import type { Migration } from '@darkroom-service/store';

/** Value above any amount: no limit. */
const NONE = '9000000000000000000';
const WINDOWS = ['day', 'month', 'total'] as const;

/** Expressions that the two databases write differently. */
const NAMES = {
  sqlite: {
    composed: (name: string) => `darkroom_nfc(${name})`,
    has: (window: string) => `json_type(limits_json, '$.${window}') is not null`,
    limit: (window: string) => `json_extract(limits_json, '$.${window}')`,
    digest: (value: string) => `substr(darkroom_digest(${value}), 1, 32)`,
    random: 'lower(hex(randomblob(8)))',
  },
  postgres: {
    composed: (name: string) => `normalize(${name}, NFC)`,
    has: (window: string) => `(cast(limits_json as jsonb) -> '${window}') is not null`,
    limit: (window: string) => `cast(cast(limits_json as jsonb) ->> '${window}' as bigint)`,
    digest: (value: string) =>
      `translate(substr(encode(sha256(convert_to(${value.replace('char(', 'chr(')}, 'UTF8')), 'base64'), 1, 32), '+/', '-_')`,
    random: 'substr(md5(cast(random() as varchar)), 1, 16)',
  },
} as const;

/**
 * Stores names of end users in one spelling, by which they are compared, and beside it the name as sent. Two spellings
 * with limits of their own get the lower of each limit, which the audit log records. Their amounts spent and stored are
 * added up.
 */
export const respelledNames: Migration = {
  version: 78,
  name: 'respelled-names',
  statements: (kind) => {
    const { composed, has, limit, digest, random } = NAMES[kind];
    const scope = (name: string) => digest(`api_key_id || char(10) || ${name}`);
    const joined = (table: string, column: string) =>
      `${table} where ${column} in (select old_scope from respelled) or ${column} in (select new_scope from respelled)`;
    return [
      'alter table tasks add column end_user_sent text',
      'alter table files add column end_user_sent text',
      `create table respelled as
        select api_key_id, end_user as old_name, ${composed('end_user')} as new_name, ${scope('end_user')} as old_scope,
          ${scope(composed('end_user'))} as new_scope
        from (select api_key_id, end_user from tasks where end_user is not null
          union select api_key_id, end_user from files where end_user is not null
          union select api_key_id, end_user from end_users) as named
        where end_user <> ${composed('end_user')}`,
      `create table joined_spending as
        select subject, day, sum(case when own_day = day then day_used else 0 end) as day_used, month,
          sum(case when own_month = month then month_used else 0 end) as month_used, sum(total_used) as total_used
        from (select named.*, max(own_day) over (partition by subject) as day,
            max(own_month) over (partition by subject) as month
          from (select coalesce((select new_scope from respelled where old_scope = spending.subject), spending.subject)
                as subject, day as own_day, day_used, month as own_month, month_used, total_used
              from ${joined('spending', 'spending.subject')}) as named) as parts
        group by subject, day, month`,
      `delete from ${joined('spending', 'subject')}`,
      `insert into spending (subject, day, day_used, month, month_used, total_used)
        select subject, day, cast(day_used as bigint), month, cast(month_used as bigint), cast(total_used as bigint)
        from joined_spending`,
      'drop table joined_spending',
      `insert into meters (subject, kind, period, used)
        select api_key_id || ':' || new_scope, kind, period, cast(sum(used) as bigint)
        from meters join respelled on subject = api_key_id || ':' || old_scope
        where true group by api_key_id, new_scope, kind, period
        on conflict (subject, kind, period) do update set used = meters.used + excluded.used`,
      "delete from meters where subject in (select api_key_id || ':' || old_scope from respelled)",
      `update idempotency set scope = (select api_key_id || ':' || new_scope from respelled
          where idempotency.scope = api_key_id || ':' || old_scope)
        where scope in (select api_key_id || ':' || old_scope from respelled)
          and not exists (select 1 from respelled as own
            join respelled as same on same.api_key_id = own.api_key_id and same.new_scope = own.new_scope
            join idempotency as other on other.idempotency_key = idempotency.idempotency_key
              and (other.scope = own.api_key_id || ':' || own.new_scope
                or (other.scope = own.api_key_id || ':' || same.old_scope and same.old_scope < own.old_scope))
            where idempotency.scope = own.api_key_id || ':' || own.old_scope)`,
      `create table joined_limits as
        select api_key_id, name, count(*) as spellings,
          ${WINDOWS.map((window) => `max(has_${window}) as has_${window}, min(${window}_limit) as ${window}_limit`).join(', ')}
        from (select end_users.api_key_id, ${composed('end_user')} as name,
            ${WINDOWS.map(
              (window) => `case when ${has(window)} then 1 else 0 end as has_${window},
            case when ${has(window)} then coalesce(${limit(window)}, ${NONE})
              else coalesce((select end_user_${window} from api_keys where id = end_users.api_key_id), ${NONE}) end
              as ${window}_limit`,
            ).join(', ')}
          from end_users) as read_limits
        where exists (select 1 from respelled
          where respelled.api_key_id = read_limits.api_key_id and new_name = read_limits.name)
        group by api_key_id, name`,
      `delete from end_users where exists (select 1 from joined_limits
        where joined_limits.api_key_id = end_users.api_key_id and name = ${composed('end_users.end_user')})`,
      `insert into end_users (api_key_id, end_user, limits_json)
        select api_key_id, name, '{' || rtrim(${WINDOWS.map(
          (window) => `case when has_${window} = 0 then '' else '"${window}":' ||
            case when ${window}_limit >= ${NONE} then 'null' else cast(${window}_limit as varchar) end || ',' end`,
        ).join(' || ')}, ',') || '}'
        from joined_limits`,
      `insert into audit_log (id, actor, act, target, detail_json, created_at)
        select '${timeIdPrefix('aud', world.now())}' || ${random}, 'migration', 'end_user.limits', ${scope('name')},
          '{"key_id":"' || api_key_id || '","reason":"two spellings of one name: the lower limits stay"}',
          ${Math.round(world.now())}
        from joined_limits where spellings > 1`,
      'drop table joined_limits',
      `update tasks set scope = (select new_scope from respelled where old_scope = tasks.scope)
        where scope in (select old_scope from respelled)`,
      // A running erasure continues under the new name of its orders.
      `update data_requests set end_user = ${composed('end_user')},
          end_user_digest = ${digest(`account_id || char(10) || ${composed('end_user')}`)}
        where end_user is not null and end_user <> ${composed('end_user')}`,
      `update task_tags set end_user = ${composed('end_user')}
        where end_user is not null and end_user <> ${composed('end_user')}`,
      ...['tasks', 'files'].map(
        (table) => `update ${table} set end_user_sent = end_user, end_user = ${composed('end_user')}
          where end_user is not null and end_user <> ${composed('end_user')}`,
      ),
      'drop table respelled',
    ];
  },
};
