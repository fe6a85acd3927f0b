import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import sharp from 'sharp';
import { plainPicture } from '../plain-picture.ts';
import { startTestService, type TaskAnswer } from '../service.ts';
import { createSwiftEngine } from '../swift-engine.ts';
import { wholeFile } from '../whole-file.ts';

/** What outputs say about how they were made, and what stays available of the files of upstreams. */

const SOURCE = /digitalsourcetype\/(\w+)</;
const delivered = new Map<string, Buffer>();
/** Delivers what is put down for its prompt, or a plain picture. `upstream` costs money, so it is not made here. */
const engine = createSwiftEngine({
  name: 'scripted',
  repeatable: false,
  async check(_operation, { request, taskId }) {
    const data = delivered.get(`${request.values.prompt}`) ?? plainPicture(request.output, taskId);
    return {
      status: 'succeeded',
      delivery: { outputs: [{ source: { data }, seed: 1, revisedPrompt: null, tiles: null }] },
    };
  },
});

async function fileOf(task: TaskAnswer, query = ''): Promise<Buffer> {
  assert.equal(task.status, 'succeeded', JSON.stringify(task.error));
  const response = await fetch(`${task.outputs[0]?.url}${query}`);
  return Buffer.from(await response.arrayBuffer());
}
