import { afterAll, onTestFinished, TestRunner } from 'vitest'

/** Calls `cleanUp` after the running test, or after the test file if no test runs: in a test, `afterAll` does nothing. */
export function atEnd(cleanUp: () => unknown): void {
  const register = TestRunner.getCurrentTest() === undefined ? afterAll : onTestFinished
  register(async () => void (await cleanUp()))
}
