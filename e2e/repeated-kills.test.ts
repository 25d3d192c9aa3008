import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { Client } from './client.ts'
import { createToken, pause, program, root } from './program.ts'

/** Seconds during which the program is killed repeatedly; `npm run test:full` sets 180, and 200 sources. */
const killSeconds = Number(process.env['KILL_SECONDS'] ?? 10)
const killSources = Number(process.env['KILL_SOURCES'] ?? 100)

test(
  `with kill -9 every 5 s for ${killSeconds} s all of ${killSources} sources are processed, with no orphaned or missing data`,
  async () => {
    const groundwork = await program(onTestFinished)
    await groundwork.start()
    const { token } = await createToken(groundwork)
    const client = new Client(groundwork.url, token)
    const base = await client.createBase('killed often', { chunkingStrategy: 'fixed', chunkSize: 64, chunkOverlap: 0 })
    const added = new Set<string>()
    let killing = true
    const adding = (async () => {
      for (let n = 0; n < killSources;) {
        const text = Array.from({ length: 30 }, (_, line) => `Shelf ${n} of the store, row ${line}: box ${n * 30 + line}.`).join('\n\n')
        const source = await client.addFile(base.id, `${n}.txt`, 'text/plain', Buffer.from(text)).catch(() => undefined)
        if (source === undefined) await pause(100)
        else {
          added.add(source.id)
          n += 1
        }
      }
    })()
    const end = Date.now() + killSeconds * 1000
    while (killing) {
      await pause(5000)
      await groundwork.kill()
      await groundwork.start()
      killing = Date.now() < end
    }
    await adding
    for (const id of added) expect(await client.settled(base.id, id, 600_000)).toMatchObject({ status: 'completed', error: null })
    expect(await groundwork.stop()).toBe(0)
    const run = promisify(execFile)
    const { stdout } = await run(process.execPath, ['server/dist/cli.js', 'doctor', '--json', '--grace', '0'], {
      cwd: root,
      env: groundwork.env,
    }).catch((error: { stdout: string }) => error)
    expect(JSON.parse(stdout)).toEqual({ findings: [], repaired: 0, pooler: null })
  },
  killSeconds * 1000 + 900_000,
)
