import type { TrustedFetch } from '@darkroom-service/media';
import type { PictureTools } from '../picture-tools.ts';
import type { EngineTools } from './submit-poll-engine.ts';

/** The settings of an engine for a vendor's own interface. */
export interface VendorSettings extends EngineTools {
  readonly key: string;
  /** The endpoint's URL; null = the vendor's own. */
  readonly url: string | null;
  readonly fetch: TrustedFetch;
  readonly pictures: PictureTools;
}
