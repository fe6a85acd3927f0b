import { setTimeout as sleep } from 'node:timers/promises';
import type { ChildService } from '../crash/child-service.ts';
import { runDarkroom } from '../helpers/run-darkroom.ts';

/** A line of `/readyz`, the alerts or the doctor that was new after a fault. */
export interface Told {
  /** `readyz`, `alert` or `doctor`, and the subject. */
  readonly by: string;
  /** Seconds since the fault. */
  readonly after: number;
}

interface Listed {
  readonly checks?: readonly { readonly name: string; readonly ok: boolean }[];
  readonly error?: { readonly details?: readonly { readonly name: string; readonly ok: boolean }[] };
}

const LOOK_EVERY_MS = 500;
const DOCTOR_EVERY_MS = 5_000;
const ANSWER_MS = 3_000;

/** Looks as an operator does at `/readyz`, the alerts and the doctor, and records what is new since a fault. */
export class Witness {
  service: ChildService | null = null;
  readonly #admin: string;
  readonly #variables: Record<string, string>;
  readonly #directory: string;

  constructor(admin: string, variables: Record<string, string>, directory: string) {
    this.#admin = admin;
    this.#variables = variables;
    this.#directory = directory;
  }

  /** Watches until the signal, and returns each thing that was told, once, the earliest first. */
  async watch(before: ReadonlySet<string>, signal: AbortSignal): Promise<Told[]> {
    const began = performance.now();
    const told = new Map<string, Told>();
    const record = (names: readonly string[]) => {
      const after = (performance.now() - began) / 1000;
      for (const by of names) if (!before.has(by) && !told.has(by)) told.set(by, { by, after });
    };
    const repeat = async (look: () => Promise<string[]>, everyMs: number) => {
      for (; !signal.aborted; await sleep(everyMs, undefined, { signal }).catch(() => {})) record(await look());
    };
    await Promise.all([
      repeat(() => this.#askDoctor(), DOCTOR_EVERY_MS),
      repeat(() => this.#lookOnce(), LOOK_EVERY_MS),
    ]);
    return [...told.values()].toSorted((one, other) => one.after - other.after);
  }

  /** Returns what is told now. */
  async look(): Promise<ReadonlySet<string>> {
    return new Set([...(await this.#lookOnce()), ...(await this.#askDoctor())]);
  }

  async #lookOnce(): Promise<string[]> {
    const [ready, alerts] = await Promise.all([this.#call('/readyz'), this.#call('/admin/v1/alerts?state=open')]);
    const { checks, error } = (ready ?? {}) as Listed;
    const items = (alerts as { data?: { items?: { kind: string }[] } } | null)?.data?.items ?? [];
    const failing = (checks ?? error?.details ?? []).filter(({ ok }) => !ok).map(({ name }) => `readyz ${name}`);
    return [...failing, ...items.map(({ kind }) => `alert ${kind}`)];
  }

  async #askDoctor(): Promise<string[]> {
    const { stdout } = await runDarkroom(['doctor', '--json'], this.#variables, this.#directory);
    const { checks } = JSON.parse(stdout) as { checks: { name: string; status: string }[] };
    return checks.filter(({ status }) => status !== 'ok').map(({ name }) => `doctor ${name}`);
  }

  async #call(path: string): Promise<unknown> {
    const answer = this.service?.call(this.#admin, 'GET', path);
    const found = await Promise.race([answer, sleep(ANSWER_MS, undefined, { ref: false })]).catch(() => undefined);
    return found?.body ?? null;
  }
}
