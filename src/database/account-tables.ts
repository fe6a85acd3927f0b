import type { Fixed } from '@darkroom-service/store';

export interface AccountsTable {
  id: Fixed<string>;
  name: string;
  created_at: Fixed<number>;
  /** Micro-dollars by which the live balance may fall below zero; null = invoiced account without a limit. */
  credit_limit: number | null;
  /**
   * `[{ "models": "flux-*", "multiplier": "0.9" }]`: the first match counts; without a match the default price applies.
   */
  price_rules_json: string;
  /** Glob patterns of models that are hidden from this account. */
  hidden_models_json: string;
  /** Default webhook URL for live tasks. */
  webhook_url: string | null;
  /** Default webhook URL for test tasks. */
  test_webhook_url: string | null;
  /** `deliver_json` of live orders without `deliver_to`; null = nowhere. */
  deliver_json: string | null;
}

export interface ApiKeysTable {
  id: Fixed<string>;
  account_id: Fixed<string>;
  mode: Fixed<'live' | 'test' | 'admin'>;
  name: string;
  /** SHA-256 (hex) of the key. */
  hash: string;
  /** The hash before the last rotation, valid until `previous_until`. */
  previous_hash: string | null;
  previous_until: number | null;
  created_at: Fixed<number>;
  expires_at: number | null;
  revoked_at: number | null;
  /** Glob patterns; an empty list allows every model. */
  models_json: string;
  /** Creates per minute, reads per minute, concurrent tasks, waiting tasks: 0 = no limit. */
  rpm: number;
  read_rpm: number;
  concurrency: number;
  queue_limit: number;
  spend_day: number | null;
  spend_month: number | null;
  spend_total: number | null;
  /** Limits per window of an end user of the key who has no own limits; null = no limit. */
  end_user_day: number | null;
  end_user_month: number | null;
  end_user_total: number | null;
  /** The time zone of the days and months of all these limits; null = UTC. */
  timezone: string | null;
  account_view: number;
  /** Micro-dollars above which a person must agree to an order through MCP; null = the operator's setting. */
  approve_over: number | null;
}

/** Use of the limits that all processes share, apart from spending. */
export interface MetersTable {
  /** An API key, or an end user of one. */
  subject: Fixed<string>;
  /** Bytes of input files, or requests. */
  kind: Fixed<'stored_bytes' | 'creates' | 'reads'>;
  /** `total`; for requests the minutes since 1970 UTC. */
  period: Fixed<string>;
  used: number;
}

/** Micro-dollars held or charged for the orders of an API key that is or was limited, or of an end user. */
export interface SpendingTable {
  /** The id of the key, or the scope of the end user's orders. */
  subject: Fixed<string>;
  /** Days since 1970 UTC: the latest one that had an order. */
  day: number;
  day_used: number;
  /** Months since 1970 UTC. */
  month: number;
  month_used: number;
  total_used: number;
  /**
   * The time zone whose windows are counted besides those of UTC; null = none, or orders were added that could not be
   * assigned to its windows (`recountInZone`).
   */
  zone: string | null;
  /** Start and end of the zone's latest day that had an order, in milliseconds since 1970 UTC. */
  zone_day: number | null;
  zone_day_end: number | null;
  zone_day_used: number | null;
  /** Start of that day's month, in milliseconds since 1970 UTC. */
  zone_month: number | null;
  zone_month_used: number | null;
  /** Equal to `total_used` while all amounts are counted in the zone: versions before 79 increase only `total_used`. */
  zone_total: number | null;
}

/** An end user of a key with limits of its own. */
export interface EndUsersTable {
  api_key_id: Fixed<string>;
  end_user: Fixed<string>;
  /**
   * `{ "day": 1000000, "total": null, "timezone": "Europe/Berlin" }`: null = no limit; an absent window has the key's
   * limit, and an absent time zone is the key's.
   */
  limits_json: string;
}
