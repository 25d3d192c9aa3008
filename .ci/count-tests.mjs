// Sums up vitest's JSON reports. Usage: node .ci/count-tests.mjs REPORT… Prints: passed failed skipped
// A test file that fails to load has no tests and counts as one failure.
import { readFileSync } from 'node:fs'

const total = { passed: 0, failed: 0, skipped: 0 }
for (const file of process.argv.slice(2)) {
  for (const { status, assertionResults } of JSON.parse(readFileSync(file, 'utf8')).testResults) {
    const count = (wanted) => assertionResults.filter((test) => test.status === wanted).length
    const failed = count('failed')
    total.passed += count('passed')
    total.failed += status === 'failed' ? Math.max(failed, 1) : failed
    total.skipped += assertionResults.length - count('passed') - failed
  }
}
console.log(total.passed, total.failed, total.skipped)
