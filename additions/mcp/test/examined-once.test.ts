import assert from 'node:assert/strict';
import { test } from 'node:test';
import { solidPng } from '@darkroom-service/testing';
import { loadConfig } from '../../../test/helpers/load-config.ts';
import { callTool, connectOverHttp, dataOf } from '../../../test/helpers/mcp-clients.ts';
import { startTestService } from '../../../test/helpers/service.ts';
import { createSwiftEngine } from '../../../test/helpers/swift-engine.ts';
import { ManualClock } from '../../../test/helpers/task-services.ts';
import { wholeFile } from '../../../test/helpers/whole-file.ts';

const SIDE = 64;
/** An order of a picture made of another one, whose pixels have one value. */
const orderOf = (value: number) => {
  const png = solidPng({ width: SIDE, height: SIDE, value });
  return { model_id: 'sketch', prompt: 'a fox', image_urls: [`data:image/png;base64,${png.toString('base64')}`] };
};

/** A key may have one such picture examined a minute, which does not pass here. */
const clock = new ManualClock();
const service = await startTestService(wholeFile, {
  env: { DARKROOM_APPROVE_OVER: '1.00' },
  config: { budgets: { ...loadConfig({}).budgets, examined_pixels: SIDE * SIDE } },
  service: { clock, engines: [createSwiftEngine({}, clock)] },
});

test("an agent's order whose price is asked first has its picture examined once", async (t) => {
  const { key } = await service.issueKey({ mode: 'test' });
  const client = await connectOverHttp(t, { url: service.url, key });
  const made = dataOf(await callTool(client, 'create_picture', orderOf(1)));
  assert.equal(made.error, null, JSON.stringify(made));
  const { error } = dataOf(await callTool(client, 'create_picture', orderOf(2)));
  assert.equal(error.code, 'rate_limited');
});
