import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReportedCost } from '@darkroom-service/engines';
import { fromRecord, parseRecord, toRecord } from './spooled-answer.ts';

const key = { taskId: 'img_1', fence: 1 };

test('a kept answer holds what its upstream told of its cost, in whichever way', () => {
  const told: ReportedCost[] = [
    { usd: '0.02' },
    { units: '3.5' },
    { tokens: { prompt: 3, output_image: 1756 } },
    { tokens: { video: 108_900 } },
  ];
  for (const upstreamCost of told) {
    const answer = { kind: 'delivery', delivery: { outputs: [], upstreamCost } } as const;
    const text = JSON.stringify(toRecord(key, { engine: 'openai', savedAt: 1 }, answer, []));
    assert.deepEqual(
      fromRecord(parseRecord(text, key), (file) => file),
      answer,
    );
  }
});
