import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { EXAMINED_WITHIN_MS, world } from '@darkroom-service/contract';
import { createReferences, MediaUnavailable, StorageError } from '@darkroom-service/media';
import { kernelOf } from '../../test/helpers/kernel.ts';
import { insertKey, openTestServices } from '../../test/helpers/task-services.ts';
import { takeUpload } from '../additions/uploads/store-upload.ts';
import { storeNewFile } from '../order-files/new-file.ts';
import type { TaskServices } from '../tasks/task-services.ts';

const FAULTS = [
  [new MediaUnavailable('no process can be started'), 'service_unavailable', /cannot be examined now/],
  [new StorageError('full', 'the disk is full'), 'storage_full', /no space for files/],
] as const;

for (const [fault, code, message] of FAULTS) {
  test(`a machine that cannot examine files (${code}) is not the sender's fault`, async (t) => {
    const { services } = await openTestServices(t);
    const key = await insertKey(services);
    const probe = () => Promise.reject(fault);
    const { storage, settings } = services;
    const fetch = () => Promise.reject(new Error('not called'));
    const { temporaryDirectory } = settings;
    const away: TaskServices = {
      ...services,
      media: { ...services.media, probe },
      references: createReferences({ fetch, storage, temporaryDirectory, media: { probe } }),
    };
    const upload = takeUpload(kernelOf(away), key, Readable.from([Buffer.from('GIF89a')]), {
      maxBytes: 100,
      announcedBytes: 0,
      onRead: async () => null,
    });
    await assert.rejects(upload, { code, message });
    await assert.rejects(
      storeNewFile(away, key, [Buffer.from('GIF89a')], 'image', world.monotonic() + EXAMINED_WITHIN_MS),
      {
        code,
        message,
      },
    );
  });
}
