import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Client } from './client.ts'
import { createToken, engineName, freePort, program, root } from './program.ts'

describe.skipIf(engineName() !== 'PostgreSQL')('separate roles (PostgreSQL)', () => {
  test('two programs start concurrently on an empty database; one serves requests, the other processes jobs', async () => {
    const api = await program(onTestFinished, { ROLE: 'api' })
    const worker = await program(onTestFinished, { ...api.env, ROLE: 'worker', PORT: String(await freePort()) })
    await Promise.all([api.start(), worker.start()])
    const client = new Client(api.url, (await createToken(api)).token)
    const base = await client.createBase('roles')
    const source = await client.addPath(base.id, join(root, 'examples/faq.md'))
    expect(await client.settled(base.id, source.id)).toMatchObject({ status: 'completed' })
    expect(await client.search(base.id, 'Do I need to book?')).not.toEqual([])
    expect(await worker.stop()).toBe(0)

    const waiting = await client.addPath(base.id, join(root, 'examples/rental-terms.txt'))
    expect(await client.source(base.id, waiting.id)).toMatchObject({ status: 'processing', stage: 'queued' })
    await worker.start()
    expect(await client.settled(base.id, waiting.id)).toMatchObject({ status: 'completed' })
    expect(await api.stop()).toBe(0)
  })

  test('a worker that does not share the files of the API does not start', async () => {
    const api = await program(onTestFinished, { ROLE: 'api', SECRET_KEY: 'a key of thirty-two or more characters' })
    await api.start()
    const worker = async (settings = {}) =>
      program(onTestFinished, { ...api.env, PORT: String(await freePort()), ROLE: 'worker', ...settings })
    const apart = await mkdtemp(join(tmpdir(), 'groundwork-apart-'))
    onTestFinished(() => rm(apart, { recursive: true, force: true }))
    await expect((await worker({ DATA_DIR: apart })).start()).rejects.toThrow(/DATA_DIR: .*not those of this database/)
    const sharing = await worker()
    await sharing.start()
    expect(await sharing.stop()).toBe(0)
    expect(await api.stop()).toBe(0)
  })
})

describe.skipIf(engineName() === 'PostgreSQL')('separate roles (embedded engine)', () => {
  test('are refused, since only one process can open the database', async () => {
    const worker = await program(onTestFinished, { ROLE: 'worker' })
    await expect(worker.start()).rejects.toThrow(/ROLE: .*DATABASE_URL/)
  })

  test('a second program on the same data stops with an error; the first continues', async () => {
    const first = await program(onTestFinished)
    await first.start()
    const second = await program(onTestFinished, { ...first.env, PORT: String(await freePort()) })
    await expect(second.start()).rejects.toThrow(/in use by another process \(pid \d+\)/)
    expect((await fetch(`${first.url}/readyz`)).status).toBe(200)
    expect(await first.stop()).toBe(0)
  })
})
