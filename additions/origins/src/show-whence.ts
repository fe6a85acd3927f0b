import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { clientOfEnvironment } from '@darkroom-service/addition-common/commands/api-client';
import { type OutputOptions, STANDARD, show, usageFault } from '@darkroom-service/darkroom/kernel-cli';
import type { OriginView } from './origin-wire.ts';

export async function showWhence(file: string, options: OutputOptions): Promise<void> {
  const hash = createHash('sha256');
  await pipeline(file === STANDARD ? process.stdin : createReadStream(file), hash).catch((error: Error) => {
    throw usageFault(`expected a file, or - for standard input, found '${file}': ${error.message}`);
  });
  const origin = await clientOfEnvironment().get<OriginView>(`/v1/provenance?sha256=${hash.digest('hex')}`);
  const { task_id: id, type, made_at: at } = origin;
  show(options, {
    json: origin,
    text: id === null ? `The ${type} was made here at ${at}.` : `${id} made this ${type} at ${at}.`,
    plain: id ?? '',
  });
}
