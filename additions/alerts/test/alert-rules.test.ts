import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDeployFile } from '../../../test/helpers/deploy-files.ts';
import { alertRulesYaml } from '../src/prometheus/write-alert-rules.ts';

test('the rules of Prometheus are those of their list', () => {
  assert.equal(readDeployFile('monitoring/alerts.yaml'), alertRulesYaml());
});
