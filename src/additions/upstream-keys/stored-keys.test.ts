import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { sealAgain } from '@darkroom-service/addition-common/seal-again';
import { createIdFactory } from '@darkroom-service/contract';
import { forEachDatabase } from '../../../test/helpers/databases.ts';
import { kernelOfDatabase } from '../../../test/helpers/kernel.ts';
import { createVault } from '../../base/vault.ts';
import { countSealed, listSealed, readKeySecret, setUpstreamKey, subjectOf } from './stored-keys.ts';

const [before, now] = [randomBytes(32), randomBytes(32)];

forEachDatabase((_, openTestDatabase) => {
  test("after a rotation of the operator's key, secrets are sealed again with the new one, and the old one can go", async (t) => {
    const { database } = await openTestDatabase(t);
    const by = { actor: 'key_1', now: 1, createId: createIdFactory(() => 1) };
    const set = (engine: string, key: Buffer) =>
      setUpstreamKey(
        kernelOfDatabase(database),
        by,
        { accountId: 'acme', engine },
        `secret of ${engine}`,
        createVault(key, null),
      );
    await set('fal', before);
    await set('openai', now);
    await set('google', randomBytes(32));
    const rotated = createVault(now, before);
    assert.equal(await sealAgain(database, rotated, 'upstream_keys', subjectOf), 1);
    assert.equal(await sealAgain(database, rotated, 'upstream_keys', subjectOf), 0);
    const rows = await listSealed(database.read);
    const alone = createVault(now, null);
    assert.deepEqual(countSealed(rows, alone), { opened: 2, withPrevious: 0, lost: 1 });
    const idOf = (engine: string) => rows.find((row) => row.engine === engine)?.id ?? '';
    const read = async (engine: string) => await readKeySecret(database.read, idOf(engine), alone);
    assert.deepEqual(await read('fal'), { secret: 'secret of fal', isRemoved: false });
    assert.match(JSON.stringify(await read('google')), /cannot open the upstream key/);
  });
});
