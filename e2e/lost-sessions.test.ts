import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Client } from './client.ts'
import { createToken, program } from './program.ts'
import { allEmails, writers } from './writers.ts'

describe.skipIf(process.env['TEST_DATABASE_URL'] === undefined)('sessions that PostgreSQL terminates', () => {
  test('end no program and lose or duplicate no write; affected requests get 503', async () => {
    const groundwork = await program(onTestFinished)
    await groundwork.start()
    const client = new Client(groundwork.url, (await createToken(groundwork)).token)
    const writing = writers(client, 6)
    for (let round = 0; round < 3; round += 1) {
      await writing.more(3)
      await terminateSessions(groundwork.env['DATABASE_URL'] ?? '')
    }
    await writing.more(3)
    const acknowledged = await writing.stop()
    expect(await allEmails(client)).toEqual(acknowledged.toSorted())
    // 409: the first request with the key is still running.
    expect([...writing.refusals.keys()].filter((status) => !['503', '409'].includes(status))).toEqual([])
    expect(groundwork.output()).toContain('a database connection was lost')
    expect(groundwork.output()).not.toContain('secretKey')
    expect(await groundwork.stop()).toBe(0)
  })
})

async function terminateSessions(connectionString: string): Promise<void> {
  const admin = new pg.Client({ connectionString })
  await admin.connect()
  await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()')
  await admin.end()
}
