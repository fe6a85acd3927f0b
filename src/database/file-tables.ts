import type { Fixed } from '@darkroom-service/store';

/** A file that a client supplied: an upload, or the content of a data URI. */
export interface FilesTable {
  id: Fixed<string>;
  api_key_id: Fixed<string>;
  /** The end user; null = the key's own file. */
  end_user: string | null;
  /** The name as it was sent; null = it is the same. */
  end_user_sent: string | null;
  storage_key: Fixed<string>;
  kind: Fixed<'image' | 'video' | 'audio'>;
  content_type: Fixed<string>;
  bytes: Fixed<number>;
  width: Fixed<number | null>;
  height: Fixed<number | null>;
  duration_seconds: Fixed<number | null>;
  sha256: Fixed<string>;
  created_at: Fixed<number>;
  expires_at: number;
  erased_at: number | null;
}
