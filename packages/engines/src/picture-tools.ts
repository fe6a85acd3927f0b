import type { MediaTools } from '@darkroom-service/media';

/** Edits pictures in a media process. @throws MediaFault; StorageError if this machine cannot do it now */
export type PictureTools = Pick<MediaTools, 'edit'>;
