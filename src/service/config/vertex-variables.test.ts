import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { keyFile, PRIVATE_KEY, PROJECT } from '@darkroom-service/engines/fakes';
import { loadConfig } from '../../../test/helpers/load-config.ts';
import { temporaryDirectory } from '../../../test/helpers/temporary-directory.ts';
import { ConfigFault } from './config-fault.ts';

test('a service account of Vertex AI is given as JSON or as a file, and a faulty one is never repeated', async () => {
  const json = keyFile('https://oauth2.googleapis.com/token', PRIVATE_KEY);
  const path = join(await temporaryDirectory('darkroom-account-'), 'account.json');
  await writeFile(path, `\ufeff${json}`);
  for (const given of [json, path]) {
    const { upstreams, switchedOn } = loadConfig({ DARKROOM_VERTEX_CREDENTIALS: given });
    assert.equal(upstreams.vertex?.account.project, PROJECT);
    assert.deepEqual([upstreams.vertex?.location, upstreams.vertex?.url], ['global', null]);
    assert.deepEqual(switchedOn, [{ name: 'vertex', variable: 'DARKROOM_VERTEX_CREDENTIALS' }]);
  }
  const hidden = keyFile('https://oauth2.googleapis.com/token', 'hidden');
  const faults = [
    {
      variable: 'DARKROOM_VERTEX_CREDENTIALS',
      message: "expected a service account's JSON, or the path of its file, found something else",
    },
    {
      variable: 'DARKROOM_VERTEX_LOCATION',
      message: 'expected a location such as global or us-central1, found "Europe/West"',
    },
  ];
  for (const given of [hidden, '/hidden.json', '{"hidden'])
    assert.throws(
      () => loadConfig({ DARKROOM_VERTEX_CREDENTIALS: given, DARKROOM_VERTEX_LOCATION: 'Europe/West' }),
      (error) => error instanceof ConfigFault && isDeepStrictEqual(error.faults, faults),
    );
});
