/** SQLite's result codes: 1 error in the statement, 18 value too large, 19 violated constraint, 20 wrong type. */
const OF_SQLITE: readonly number[] = [1, 18, 19, 20];
/** Classes of SQLSTATE: 22 values, 23 violated constraints, 42 syntax, names and rights. */
const OF_POSTGRES = /^(22|23|42)...$/;

/**
 * Tells whether a database refused a statement for its content: it would refuse it again, whereas a full disk or a lost
 * connection is temporary.
 */
export function isStatementFault(error: unknown): boolean {
  const { errcode, code } = error as { readonly errcode?: number; readonly code?: string };
  return errcode === undefined ? OF_POSTGRES.test(code ?? '') : OF_SQLITE.includes(errcode & 0xff);
}
