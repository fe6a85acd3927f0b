import type { Clock } from '@darkroom-service/contract';
import type { Engine } from '@darkroom-service/engines';
import type { Lookup, MediaTools, Storage } from '@darkroom-service/media';
import type { CommitHook } from '@darkroom-service/store';
import type { Log } from '../base/log.ts';
import type { Database } from '../database/database.ts';
import type { Valves } from '../routing/valves.ts';
import type { AddedTempo } from './added-tempo.ts';
import type { Addition } from './addition.ts';
import type { NativeParts } from './native-parts.ts';
import type { ProcessTempo } from './open-process.ts';

/** The additions to the core, replacements for tests, and work to do during a start. */
export interface ServiceOptions {
  readonly additions?: readonly Addition[];
  /** The id of this process, which has logged before; absent = a new one. */
  readonly processId?: string;
  /** The socket on which the service listens instead of its port. */
  readonly socketPath?: string;
  readonly clock?: Clock;
  /** The clock of this process only, which may be wrong; the database keeps its own. */
  readonly processClock?: Clock;
  readonly log?: Log;
  /** Called before and after each commit. */
  readonly commitHook?: CommitHook;
  /** Engines in addition to the built-in one. */
  readonly engines?: readonly Engine[];
  /** Wraps the service's storage. */
  readonly wrapStorage?: (storage: Storage) => Storage;
  /** Wraps the service's valves. */
  readonly wrapValves?: (valves: Valves) => Valves;
  /** Opens media files, and is closed with the service; absent = tools with processes of their own. */
  readonly media?: MediaTools;
  /** Resolves the host names of references. */
  readonly lookup?: Lookup;
  readonly tempo?: Tempo;
  /** The capabilities of the native parts; absent = only their installation is checked. */
  readonly nativeParts?: Promise<NativeParts>;
  /** Called when everything is open and before anybody can connect. */
  readonly beforeListening?: (database: Database) => Promise<void>;
}

/** Times that are too long for tests. */
export interface Tempo extends ProcessTempo, AddedTempo {
  /** Intervals at which the row of the installation is read and its beat is raised. */
  readonly installation?: { readonly refreshMs?: number; readonly beatEveryMs?: number };
  /** Time for which readiness results are cached. */
  readonly readinessFreshMs?: number;
}
