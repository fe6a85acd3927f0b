import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { inProcessPictures } from '../../fakes/in-process-pictures.ts';
import { EngineError, type OrderMedia } from '../engine.ts';
import { createReferenceTransfer, type TransferWays } from './reference-transfer.ts';

const { signal } = new AbortController();

function medium(bytes: number, url: string | null = null): OrderMedia {
  const facts = {
    index: 0,
    kind: 'video',
    contentType: 'video/mp4',
    width: 64,
    height: 64,
    durationSeconds: 2,
  } as const;
  return {
    ...facts,
    field: 'reference_video_urls',
    bytes,
    url,
    open: async () => Readable.from([Buffer.alloc(bytes)]),
  };
}

test('a medium is sent inline, by our URL or by upload, in the configured order', async () => {
  const upload = async () => 'https://files.example/1';
  const ways: TransferWays = { inline: 4, byAddress: true, upload };
  const address = 'https://example.com/v1/files/1';
  assert.equal(await createReferenceTransfer(ways)(medium(3), signal, 1), 'data:video/mp4;base64,AAAA');
  assert.equal(await createReferenceTransfer({ ...ways, bare: true })(medium(3), signal, 1), 'AAAA');
  assert.equal(await createReferenceTransfer({ ...ways, inlineTogether: 5 })(medium(3, address), signal, 2), address);
  assert.equal(await createReferenceTransfer(ways)(medium(5, address), signal, 1), address);
  assert.equal(
    await createReferenceTransfer({ ...ways, byAddress: false })(medium(5, address), signal, 1),
    await upload(),
  );
  assert.equal(await createReferenceTransfer(ways)(medium(5), signal, 1), await upload());
});

test('a picture that cannot be read right now is not said to be one that cannot be converted', async () => {
  const fault = new Error('the storage is away');
  const picture: OrderMedia = {
    ...medium(3),
    kind: 'image',
    contentType: 'image/gif',
    open: () => Promise.reject(fault),
  };
  const handOver = createReferenceTransfer({
    inline: 4,
    byAddress: false,
    pictures: { types: ['image/png'], tools: inProcessPictures },
  });
  await assert.rejects(handOver(picture, signal, 1), fault);
});

test('media that cannot be handed over leave the order unsubmitted, free for another route, with the reason', async () => {
  for (const [ways, message] of [
    [
      { inline: 4, byAddress: false },
      /^reference_video_urls: expected a file of at most 4 bytes, found 5: .* upstream\.$/,
    ],
    [{ inline: 4, byAddress: true }, /at most 4 bytes, found 5: .*, unless DARKROOM_PUBLIC_URL is an address/],
    [
      { inline: 0, byAddress: true },
      /the upstream fetches it itself, so it is taken only where DARKROOM_PUBLIC_URL is/,
    ],
  ] as const) {
    await assert.rejects(createReferenceTransfer(ways)(medium(5), signal, 1), (error) => {
      assert.ok(error instanceof EngineError);
      assert.match(error.message, message);
      assert.deepEqual([error.class, error.took, error.elsewhere], ['invalid_input', 'no', true]);
      return true;
    });
  }
});
