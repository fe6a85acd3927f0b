import type { TrustedFetch } from '@darkroom-service/media';
import { editPicture } from '@darkroom-service/media/decoding';
import type { PictureTools } from '../src/picture-tools.ts';
import type { EngineLog, EngineTools } from '../src/upstream/submit-poll-engine.ts';

/** The tools that tests of engines pass to an engine. */
export type HarnessTools = EngineTools & { readonly fetch: TrustedFetch; readonly pictures: PictureTools };

/** Picture editing for engines without a process of its own, for tests of engines. */
export const inProcessPictures: PictureTools = {
  edit: (async (operation: Parameters<typeof editPicture>[0], args: readonly unknown[]) =>
    await editPicture(operation, args)) as PictureTools['edit'],
};

export const silentLog: EngineLog = { warn() {} };
