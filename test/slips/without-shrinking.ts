import fc from 'fast-check';

// Nobody reads the smallest counterexample of a slip, and to look for it takes minutes.
fc.configureGlobal({ endOnFailure: true });
