import assert from 'node:assert/strict';
import { test } from 'node:test';
import { processorCost, processorMs } from '@darkroom-service/testing';
import { PICTURES_OF_PARTS } from '@darkroom-service/testing/samples';
import { walkPicture } from './walk-picture.ts';

const MEGABYTES = 3;
/** Of the dearest parts, a megabyte costs a quarter of this. */
const MOST_COST_PER_MEGABYTE = 25;

for (const { name, contentType, make } of PICTURES_OF_PARTS)
  test(`a ${name} is read as any other, and others have their turn meanwhile`, async () => {
    const data = await make(MEGABYTES * 2 ** 20);
    let turns = 0;
    let timer = setImmediate(function turn() {
      turns++;
      timer = setImmediate(turn);
    });
    let cpuMs = 0;
    const cost = await processorCost(async () => {
      const before = processorMs();
      const passing = walkPicture(contentType);
      await passing.add(data);
      passing.end();
      cpuMs = processorMs() - before;
    }).finally(() => clearImmediate(timer));
    assert.ok(cost < MOST_COST_PER_MEGABYTE * MEGABYTES, `${cost} times a megabyte of JSON`);
    assert.ok(turns >= Math.floor(cpuMs / 20), `the event loop turned ${turns} times in ${cpuMs} ms`);
  });
