import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { S3_CREDENTIALS, startS3Server, until } from '@darkroom-service/testing';
import { createVault } from '../../../../src/base/vault.ts';
import { openPremises } from '../../../../test/crash/child-service.ts';
import { drawKills } from '../../../../test/crash/drawn-kills.ts';
import { runKillChain, type Script } from '../../../../test/crash/kill-chain.ts';
import { kernelOfDatabase } from '../../../../test/helpers/kernel.ts';
import { setDestination } from '../../src/destinations.ts';

const IMAGES = '/v1/images';
const POINTS = ['create_task', 'settle_succeeded', 'delivery_claim', 'delivery_attempt', 'redeliver'];

test('killed at every commit, an output is delivered to its bucket under one name', { timeout: 600_000 }, async (t) => {
  const s3 = await startS3Server();
  t.after(() => s3.close());
  const bucket = await s3.makeBucket();
  const premises = await openPremises(t);
  const secretsKey = randomBytes(32);
  // Its start creates the tables.
  const first = await premises.start();
  first.process.kill('SIGTERM');
  await first.ended;
  const { accessKeyId, secretAccessKey } = S3_CREDENTIALS;
  const settings = { bucket, endpoint: s3.endpoint, region: null, path: '{date}/{task_id}-{n}.{ext}' };
  await setDestination(
    kernelOfDatabase(premises.database),
    { actor: 'test', now: Date.now(), createId: (prefix) => `${prefix}_1` },
    { account_id: 'default', name: 'mine' },
    { settings, access: [accessKeyId, secretAccessKey], isDefault: false },
    createVault(secretsKey, null),
  );
  const { test: key } = premises.keys;
  const order = { model_id: 'sketch', prompt: 'a fox', size: '64x64', deliver_to: { destination: 'mine' } };
  const delivered: string[] = [];
  const script: Script = async (client) => {
    const taskId = await client.order(key, IMAGES, order);
    await client.final(key, IMAGES, taskId);
    const path = `${IMAGES}/${taskId}` as '/v1/images/{task_id}';
    const end = () =>
      until(
        async () => (await client.call(key, 'GET', path)).body.data.deliveries,
        (deliveries) => deliveries.every(({ state }) => state !== 'pending'),
      );
    const [first] = await end();
    await client.call(key, 'POST', `${path}/deliveries`, undefined, { 'idempotency-key': `again ${taskId}` });
    const [second] = await end();
    assert.deepEqual([first.state, second.state, second.key], ['delivered', 'delivered', first.key]);
    delivered.push(first.key);
  };
  const kills = POINTS.flatMap((name) => (['before', 'after'] as const).map((moment) => ({ name, moment })));
  const steps = drawKills(t, kills).map((kill) => ({ kill, scripts: [script, script] }));
  await runKillChain(t, premises, [], steps, {
    DARKROOM_ALLOWED_ADDRESSES: '127.0.0.1/32',
    DARKROOM_SECRETS_KEY: secretsKey.toString('base64'),
  });
  assert.deepEqual((await s3.objects(bucket)).sort(), delivered.sort());
});
