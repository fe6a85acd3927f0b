/**
 * Overwrites deleted data, also in pages that become free, so that erased data is in no file. A log that grew because
 * of a long reader is truncated when it starts again, to more than it holds between two checkpoints.
 */
export const LEAVE_NOTHING = 'pragma secure_delete = on; pragma journal_size_limit = 33554432';
