import type { MediaTools } from '@darkroom-service/media/media-tools';

/** Edits pictures in a media process. @throws MediaFault; StorageError if this machine cannot do it now */
export type PictureTools = Pick<MediaTools, 'edit'>;
