import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../helpers/service.ts';
import { wholeFile } from '../helpers/whole-file.ts';

const { call, keys } = await startTestService(wholeFile);
const body = { model_id: 'wan-3.0', prompt: 'a fox', enable_thinking: true };

test('an address that the vendor is to read obeys the same rules as a reference', async () => {
  for (const field of ['web_url', 'file_url']) {
    for (const address of [
      'http://169.254.169.254/',
      'http://127.0.0.1:8080/x',
      'http://10.0.0.1/',
      'http://a.local/',
    ]) {
      for (const path of ['/v1/prices', '/v1/videos'] as const) {
        const { status, error } = await call(keys.test, 'POST', path, { ...body, [field]: address });
        const found = [status, error?.details.find((fault) => fault.param === field)?.code ?? error?.code];
        assert.deepEqual(found, [400, 'invalid_reference'], `${path} ${field} ${address}`);
      }
    }
    const open = await call(keys.test, 'POST', '/v1/prices', { ...body, [field]: 'https://example.com/page' });
    assert.equal(open.status, 200, JSON.stringify(open.error));
  }
});
