import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing';
import sharp from 'sharp';
import { type ChildService, openPremises } from '../../../test/crash/child-service.ts';
import { drawKills } from '../../../test/crash/drawn-kills.ts';

/** A killed process's claims end by themselves. */
const PAST_THE_LEASES_MS = 61_000;
const KILLS = ['running', 'file_rename', 'settle_succeeded'].flatMap((name) =>
  (['before', 'after'] as const).map((moment) => ({ name, moment })),
);

test('an image whose worker is killed at any step, or while it is enlarged, comes out whole and is charged once', {
  timeout: 400_000,
}, async (t) => {
  const premises = await openPremises(t);
  const { live } = premises.keys;
  const order = (service: ChildService, source: string) =>
    service.call(live, 'POST', '/v1/images', { model_id: 'enlarge', image_urls: [source] });
  const read = async (service: ChildService, id: string, seconds = 0) =>
    (await service.call(live, 'GET', `/v1/images/${id}`, undefined, { prefer: `wait=${seconds}` })).body.data;
  const charged = async (service: ChildService) =>
    Number((await service.call(live, 'GET', '/v1/account', undefined)).body.data.balance);

  const readEnded = (service: ChildService, id: string) =>
    until(
      () => read(service, id, 30),
      ({ status }) => status !== 'queued' && status !== 'processing',
    );

  let service = await premises.start();
  /** Orders an image once, and returns the file that was stored of it. */
  const store = async (image: Buffer) => {
    const { body } = await order(service, `data:image/png;base64,${image.toString('base64')}`);
    assert.equal((await readEnded(service, body.data.task_id)).status, 'succeeded');
    return String((body.data.input as { image_urls: string[] }).image_urls[0]);
  };
  const source = await store(await noise(32, 24));
  const large = await store(await noise(128, 128));
  const before = await charged(service);
  let orders = 0;
  for (const kill of [...drawKills(t, KILLS), null]) {
    if (kill !== null) await service.killAt(kill);
    const { task_id: id } = (await order(service, kill === null ? large : source)).body.data;
    if (kill === null) {
      await until(
        () => read(service, id),
        ({ progress }) => progress > 0,
      );
      service.process.kill('SIGKILL');
    }
    await service.ended;
    orders++;
    premises.aheadMs += PAST_THE_LEASES_MS;
    service = await premises.start();
    const task = await readEnded(service, id);
    const where = kill === null ? 'while it is enlarged' : `${kill.moment} ${kill.name}`;
    assert.deepEqual([task.status, task.cost.state, task.cost.amount], ['succeeded', 'charged', '0.008'], where);
    const [width, height] = kill === null ? [256, 256] : [64, 48];
    assert.deepEqual([task.outputs[0].width, task.outputs[0].height], [width, height], where);
    assert.ok(Math.abs(before - (await charged(service)) - orders * 0.008) < 1e-9, where);
  }
});

async function noise(width: number, height: number): Promise<Buffer> {
  const values = Uint8Array.from({ length: width * height * 3 }, (_, n) => (n * 7_919) % 256);
  return await sharp(values, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
}
