import { testShortRun } from './short-run.ts';

testShortRun('shared', 'six processes on PostgreSQL and S3');
