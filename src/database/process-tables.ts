import type { Fixed } from '@darkroom-service/store';

/** The installation that this database belongs to: one row, made at the first start. */
export interface InstallationTable {
  /** Always 1. */
  row: Fixed<number>;
  /** The installation's id, also in `installation.json` of the storage. */
  id: string;
  /** A random text, new with each beat: tells two databases of one installation apart. */
  owner: string;
  /** Raised every 20 seconds while the service runs. */
  beat: number;
  /** The id of the PostgreSQL server; null = embedded, not readable, or to be taken at the next start. */
  system_id: string | null;
  database_oid: number | null;
  /** Reason why nothing is sent (`Held`); null = orders and webhooks are sent. */
  held: string | null;
  /** The prefix of new files, for a copy beside its original; null = at the top of the storage. */
  prefix: string | null;
  /** Reason why the last sweep removed nothing; null = it ended as usual. */
  sweep_stopped: string | null;
}
