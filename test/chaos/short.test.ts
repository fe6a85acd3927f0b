import { testShortRun } from './short-run.ts';

testShortRun('embedded', 'one process with everything in it');
