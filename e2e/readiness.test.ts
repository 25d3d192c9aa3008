import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { engineName, pause, program } from './program.ts'

test.skipIf(engineName() !== 'PostgreSQL')(
  'background work that fails repeatedly makes /readyz 503 with its name, until it succeeds (PostgreSQL)',
  async () => {
    const groundwork = await program(onTestFinished)
    await groundwork.start()
    const database = new pg.Client({ connectionString: groundwork.env['DATABASE_URL'] })
    await database.connect()
    onTestFinished(() => database.end())

    await database.query('revoke execute on function due_webhook_endpoints from groundwork_app')
    const failing = await readinessOf(groundwork.url, 503)
    expect(await failing.json()).toMatchObject({
      error: {
        code: 'unavailable',
        issues: [
          {
            field: 'webhook dispatcher',
            code: 'background_work_failing',
            message: expect.stringMatching(/^Background work "webhook dispatcher" has failed \d+ times in a row since .*Z \(42501\)\.$/),
          },
        ],
      },
    })
    expect((await fetch(`${groundwork.url}/healthz`)).status).toBe(200)

    await database.query('grant execute on function due_webhook_endpoints to groundwork_app')
    await readinessOf(groundwork.url, 200)
    const lines = groundwork.output().split('\n')
    expect(lines.filter((line) => line.includes('background work recovered: webhook dispatcher'))).toHaveLength(1)
    const failures = lines.filter((line) => line.includes('background work failed: webhook dispatcher'))
    expect(failures.length).toBeGreaterThan(0)
    expect(failures.length).toBeLessThan(10)
    expect(await groundwork.stop()).toBe(0)
  },
  600_000,
)

async function readinessOf(url: string, status: number): Promise<Response> {
  for (;;) {
    const reply = await fetch(`${url}/readyz`)
    if (reply.status === status) return reply
    await pause(200)
  }
}
