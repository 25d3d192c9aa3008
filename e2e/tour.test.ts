import { expect, onTestFinished, test } from 'vitest'
import { freePort, program, root } from './program.ts'
import { takeTour } from './tour.ts'

test('the tour of the README works in a shell', { timeout: 600_000 }, async () => {
  const pagesPort = await freePort()
  const groundwork = await program(onTestFinished, { FETCH_ALLOW_HOSTS: `127.0.0.1:${pagesPort}` }, 'none')
  await groundwork.start()
  await takeTour({ folder: root, url: groundwork.url, env: groundwork.env, pagesPort })
  expect(await groundwork.stop()).toBe(0)
})
