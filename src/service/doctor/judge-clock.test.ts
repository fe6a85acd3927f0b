import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../../test/helpers/service.ts';
import { createSwiftEngine } from '../../../test/helpers/swift-engine.ts';
import { diagnose } from './diagnosis.ts';

test('the doctor finds a clock that is behind the latest order of an embedded database', async (t) => {
  let aheadMs = 0;
  const { call, config, keys } = await startTestService(t, {
    env: { DARKROOM_DATABASE_URL: '' },
    service: { clock: { now: () => Date.now() + aheadMs }, engines: [createSwiftEngine()] },
  });
  const clockLine = async () => {
    const lines = await Array.fromAsync(diagnose(config, Date.now()));
    return lines.find(({ name }) => name === 'clock') ?? assert.fail('no line about the clock');
  };
  const order = { model_id: 'sketch', prompt: 'a fox', simulate: { seconds: 600 } };
  assert.equal((await call(keys.test, 'POST', '/v1/images', order)).status, 201);
  assert.equal((await clockLine()).status, 'ok');
  aheadMs = 3_600_000;
  assert.equal((await call(keys.test, 'POST', '/v1/images', order)).status, 201);
  const { status, found } = await clockLine();
  assert.deepEqual([status, / but the database knows of /.test(found)], ['failed', true], found);
});
