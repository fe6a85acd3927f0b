import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvOf } from '../console/src/components/csv.ts';

test('a CSV file begins with a byte order mark, keeps long numbers as text, and holds no formula', () => {
  const rows = [
    ['ein „Füchs“, 狐', 123456789012345, -1.5, null],
    ['1234567890123456', '-9007199254740993', '0.1234567890123456', '0042'],
    ['=1+1', '+49 30', '-cmd|x', '@SUM(A1)'],
    ['\t=1', 'say "hi"', 'a\r\nb', '1e400'],
  ];
  assert.equal(
    csvOf(['a', 'seed', 'c', 'd'], rows),
    [
      '\ufeffa,seed,c,d',
      '"ein „Füchs“, 狐",123456789012345,-1.5,',
      "'1234567890123456,'-9007199254740993,'0.1234567890123456,0042",
      "'=1+1,'+49 30,'-cmd|x,'@SUM(A1)",
      '\'\t=1,"say ""hi""","a\r\nb",1e400',
      '',
    ].join('\r\n'),
  );
});
