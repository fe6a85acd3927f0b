import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anyTable } from '../../test/helpers/any-table.ts';
import { runDarkroom } from '../../test/helpers/run-darkroom.ts';
import { startTestService } from '../../test/helpers/service.ts';

test('every command that changes the database leaves one entry in the audit log, and none when it is repeated', async (t) => {
  // The service makes the tables of additions.
  const { config, database } = await startTestService(t);
  const alert = { id: 'alr_1', kind: 'held', subject: 'service', scope: 'elsewhere', summary: 'It is held.' } as const;
  const times = { began_at: Date.now(), seen_at: Date.now(), told_at: Date.now(), ended_at: null };
  await database.write('alert', (trx) =>
    trx.run(
      anyTable(trx.builder)
        .insertInto('alerts')
        .values({ ...alert, ...times }),
    ),
  );
  const run = (...words: string[]) =>
    runDarkroom(
      words,
      {
        DARKROOM_DATA_DIR: config.dataDirectory,
        // Invitations need one.
        DARKROOM_OIDC_ISSUER: 'https://login.example.com',
        DARKROOM_OIDC_CLIENT_ID: 'darkroom',
        ...(config.databaseUrl === null ? {} : { DARKROOM_DATABASE_URL: config.databaseUrl }),
      },
      config.dataDirectory,
    );
  const json = async (...words: string[]): Promise<{ items: { act: string }[]; key_id: string }> => {
    const { code, stdout, stderr } = await run(...words, '--json');
    assert.equal(code, 0, `${words.join(' ')}: ${stderr}${stdout}`);
    return JSON.parse(stdout);
  };
  const acts = async () =>
    (await json('audit', 'list', '--limit', '100', '--actor', 'command line')).items.map(({ act }) => act).reverse();
  const { key_id: id } = await json('keys', 'create', '--mode', 'live');
  const key = id;
  const commands: readonly (readonly [act: string, ...words: string[]])[] = [
    ['account.create', 'accounts', 'create', 'acme'],
    ['account.credit', 'accounts', 'credit', 'acme', '5'],
    ['account.change', 'accounts', 'limit', 'acme', '7'],
    ['key.change', 'keys', 'change', key, '--name', 'shop'],
    ['key.rotate', 'keys', 'rotate', key],
    ['key.revoke', 'keys', 'revoke', key],
    ['signing_secrets.rotate', 'secrets', 'rotate'],
    ['invitation.create', 'invitations', 'create', '--account', 'acme', '--role', 'manager'],
    ['alert.acknowledge', 'alerts', 'acknowledge', 'alr_1'],
    ['alert.silence', 'alerts', 'silence', 'alr_1', '--for', '4h'],
  ];
  const expected = ['key.create'];
  for (const [act, ...words] of commands) {
    for (let count = 0; count < 2; count++) await json(...words, '--idempotency-key', act + words.join());
    expected.push(act);
  }
  for (const [act, ...words] of [
    ['account.provenance', 'accounts', 'provenance', 'acme', 'metadata'],
    ['service.hold', 'hold'],
    ['service.release', 'release'],
  ] as const) {
    for (let count = 0; count < 2; count++) assert.equal((await run(...words)).code, 0, act);
    expected.push(act);
  }
  assert.notEqual((await run('accounts', 'credit', 'nobody', '5')).code, 0);
  assert.deepEqual(await acts(), expected);
});
