import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultsOf } from '../../../test/helpers/config-faults.ts';

test('aliases that are no pairs, lead to a pattern or repeat a name stop the start', () => {
  for (const value of ['gpt-image-1', 'gpt-image-1=', '=sketch', 'a=b=c', 'a=flux-*', 'a=sketch,a=flux-2-pro'])
    assert.match(
      faultsOf({ DARKROOM_OPENAI_MOUNT_ALIASES: value }).DARKROOM_OPENAI_MOUNT_ALIASES ?? 'accepted',
      /expected pairs of a name and a model/,
      value,
    );
});
