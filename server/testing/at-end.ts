import { afterAll, onTestFinished, TestRunner } from 'vitest'

/** Calls `cleanUp` after the running test, or after the test file if no test runs: in a test, `afterAll` does nothing. */
export function atEnd(cleanUp: () => unknown): void {
  if (TestRunner.getCurrentTest() === undefined) afterAll(async () => void (await cleanUp()))
  else onTestFinished(async () => void (await cleanUp()))
}
