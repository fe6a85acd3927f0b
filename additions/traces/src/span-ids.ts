import { createHash } from 'node:crypto';
import { type IdGenerator, RandomIdGenerator } from '@opentelemetry/sdk-trace';

/** Returns the id of the span of an order or of a claim: each process computes the same id. */
export function spanIdOf(taskId: string, part: 'order' | `claim ${number}`): string {
  return createHash('sha256').update(`${taskId} ${part}`).digest('hex').slice(0, 16);
}

/** Generator of random ids, except for the spans whose id was given before they start. */
export class SpanIds implements IdGenerator {
  readonly #random = new RandomIdGenerator();
  #given: string | null = null;
  #givenTrace: string | null = null;

  generateTraceId(): string {
    return this.#givenTrace ?? this.#random.generateTraceId();
  }

  generateSpanId(): string {
    return this.#given ?? this.#random.generateSpanId();
  }

  /** Runs the function that starts the first span of a trace. */
  withTrace<T>(id: string, start: () => T): T {
    this.#givenTrace = id;
    try {
      return start();
    } finally {
      this.#givenTrace = null;
    }
  }

  /** Runs the function that starts one span. */
  with<T>(id: string, start: () => T): T {
    this.#given = id;
    try {
      return start();
    } finally {
      this.#given = null;
    }
  }
}
