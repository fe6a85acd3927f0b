import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import { SPEND_WINDOWS, windowStart } from '@darkroom-service/contract';
import { anyTable } from '../../test/helpers/any-table.ts';
import { forEachDatabase } from '../../test/helpers/databases.ts';
import { dayOf, execute, monthOf, placeOldSchema, readOldInstallation } from '../../test/upgrade/version-76.ts';
import { scopeDigest, scopeId } from '../accounts/scope.ts';
import { spentIn } from '../accounts/spend-limits.ts';
import { openDatabase } from './open-database.ts';

const COMPOSED = 'Zo\u00eb';
const DECOMPOSED = 'Zoe\u0308';

forEachDatabase((_, openTestDatabase) => {
  test('two spellings of one name in an older database become one, with what both spent and the lower limits', async (t) => {
    const { database, address } = await openTestDatabase(t);
    await placeOldSchema(database, readOldInstallation());
    await execute(database, `update tasks set end_user = '${COMPOSED}' where step <> 'final'`);
    await execute(
      database,
      `update tasks set end_user = '${DECOMPOSED}' where step = 'final' and end_user is not null`,
    );
    const limits = { [COMPOSED]: '{"day":5,"total":null}', [DECOMPOSED]: '{"day":3,"month":7}' };
    for (const [name, json] of Object.entries(limits))
      await execute(database, `insert into end_users values ('key_gone', '${name}', '${json}')`);
    await execute(database, `insert into end_users values ('key_other', '${DECOMPOSED}', '{"day":9}')`);
    await execute(database, `insert into task_tags values ('img_1', 'red', 'key_other', '${DECOMPOSED}', 0)`);
    await execute(
      database,
      `insert into data_requests (id, kind, account_id, end_user, end_user_digest, requested_at, cleaned_to, orders, files,
        waiting) values ('era_1', 'erasure', 'default', '${DECOMPOSED}', 'of the spelling', 0, '', 0, 0, 0)`,
    );
    // Of more marks than one, a name may be neither composed nor decomposed.
    const spellings = ['Zo\u00eb\u0308', 'Zoe\u0308\u0308', 'e\u0308\u00eb', '\u00ebe\u0308', 'e\u0308e\u0308'];
    for (const name of spellings) {
      await execute(database, `insert into end_users values ('key_keys', '${name}', '{"day":1}')`);
      const scope = `key_keys:${hash('sha256', `key_keys\n${name}`, 'base64url').slice(0, 32)}`;
      await execute(database, `insert into idempotency values ('${scope}', 'once', '', 'img_1', null)`);
    }
    const old = await database.read.all(database.read.builder.selectFrom('tasks').selectAll());
    const named = old.filter(({ end_user: name }) => name !== null);
    await execute(
      database,
      'delete from spending where subject in (select scope from tasks where end_user is not null)',
    );
    for (const { id, api_key_id: key, end_user: name, created_at: at, step, charged, price } of named) {
      const scope = hash('sha256', `${key}\n${name}`, 'base64url').slice(0, 32);
      await execute(database, `update tasks set scope = '${scope}' where id = '${id}'`);
      const amount = step === 'final' ? (charged ?? 0) : price;
      const [day, month] = [dayOf(at), monthOf(at)];
      await execute(
        database,
        `insert into spending values ('${scope}', ${day}, ${amount}, ${month}, ${amount}, ${amount})
          on conflict (subject) do update set day_used = spending.day_used + ${amount},
            month_used = spending.month_used + ${amount}, total_used = spending.total_used + ${amount}`,
      );
    }
    assert.ok(new Set(named.map(({ end_user: name }) => name)).size === 2);

    const upgraded = await openDatabase(address);
    t.after(() => upgraded.close());
    const { read } = upgraded;
    const tasks = await read.all(read.builder.selectFrom('tasks').selectAll().where('end_user', 'is not', null));
    assert.deepEqual(
      tasks.map(({ id, end_user: name, end_user_sent: sent }) => [id, name, sent ?? name]).sort(),
      named.map(({ id, end_user: sent }) => [id, COMPOSED, sent]).sort(),
    );
    for (const key of new Set(named.map((row) => row.api_key_id))) {
      const own = named.filter((row) => row.api_key_id === key);
      const now = Math.max(...own.map((row) => row.created_at));
      for (const window of SPEND_WINDOWS) {
        const within = own.filter((row) => row.created_at >= windowStart(window, now));
        const sum = within.reduce((all, row) => all + (row.step === 'final' ? (row.charged ?? 0) : row.price), 0);
        assert.equal(await spentIn(read, scopeDigest(key, DECOMPOSED), window, now), sum, `${key} ${window}`);
      }
    }
    const tags = await read.all(read.builder.selectFrom('task_tags').select('end_user').where('task_id', '=', 'img_1'));
    assert.deepEqual(tags, [{ end_user: COMPOSED }]);
    const requests = anyTable(read.builder).selectFrom('data_requests').select(['end_user', 'end_user_digest']);
    const request = await read.first(requests.where('id', '=', 'era_1'));
    assert.deepEqual(request, { end_user: COMPOSED, end_user_digest: scopeDigest('default', COMPOSED) });
    const keys = await read.all(
      read.builder.selectFrom('idempotency').select('scope').where('idempotency_key', '=', 'once'),
    );
    const twice = ['Zoe\u0308\u0308', 'e\u0308e\u0308'];
    for (const name of twice) assert.equal(keys.filter(({ scope }) => scope === scopeId('key_keys', name)).length, 1);
    const stored = await read.all(
      read.builder.selectFrom('end_users').selectAll().where('end_user', '=', COMPOSED).orderBy('api_key_id'),
    );
    assert.deepEqual(
      stored.map(({ api_key_id: key, limits_json: json }) => [key, JSON.parse(json)]),
      [
        ['key_gone', { day: 3, month: 7, total: null }],
        ['key_other', { day: 9 }],
      ],
    );
    const told = await read.all(
      read.builder.selectFrom('audit_log').select(['act', 'target']).where('actor', '=', 'migration'),
    );
    const joined = [scopeDigest('key_gone', COMPOSED), ...twice.map((name) => scopeDigest('key_keys', name))];
    assert.deepEqual(
      told.sort((a, b) => ((a.target ?? '') < (b.target ?? '') ? -1 : 1)),
      joined.sort().map((target) => ({ act: 'end_user.limits', target })),
    );
  });
});
