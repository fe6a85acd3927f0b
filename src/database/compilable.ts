import type { Compilable, RawBuilder } from 'kysely';
import type { Session } from './database.ts';

/** Returns a statement written as SQL in the form in which a session reads the statements of a builder. */
export function compilable<R>(session: Session, query: RawBuilder<R>): Compilable<R> {
  return { compile: () => query.compile(session.builder) } as Compilable<R>;
}
