import type { Addition } from '../service/addition.ts';
import { SHARES } from './shares/shares.ts';
import { TAGS } from './tags/tags.ts';

/** All additions. Their hooks run in this order. */
export const ADDITIONS: readonly Addition[] = [SHARES, TAGS];
