import { pino } from 'pino'
import { expect, it } from 'vitest'
import { testApp } from '../testing/app.ts'
import { createApp } from './app.ts'
import { moduleHandlers } from '../modules.ts'
import type { LoggedRequests } from '../lib/logged-requests.ts'
import { authenticator } from '../tokens/authenticator.ts'

const { platform, database } = await testApp()

/** Returns the statuses in the log after a request that succeeds and one that fails. */
async function loggedStatuses(logRequests?: LoggedRequests): Promise<unknown[]> {
  const lines: Record<string, unknown>[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) })
  const app = await createApp({
    platform: { ...platform, log },
    authenticate: authenticator(database, { now: platform.now }).authenticate,
    handlers: moduleHandlers,
    ...(logRequests !== undefined && { logRequests }),
  })
  await app.inject('/healthz')
  await app.inject('/v1/contacts')
  return lines.filter(({ msg }) => msg === 'request').map(({ status }) => status)
}

it.each([
  [undefined, [200, 401]],
  ['all', [200, 401]],
  ['errors', [401]],
  ['none', []],
] as const)('LOG_REQUESTS=%s logs %j', async (logRequests, statuses) => {
  expect(await loggedStatuses(logRequests)).toEqual(statuses)
})
