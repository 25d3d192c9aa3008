import { spawnSync } from 'node:child_process'
import { appendFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { Client } from './client.ts'
import { createToken, engineName, pause, program } from './program.ts'

test(`/readyz answers 503 with the reason while the disk is full (${engineName()}, root)`, async ({ skip }) => {
  const folder = await mkdtemp(join(tmpdir(), 'groundwork-disk-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=500m', 'tmpfs', folder])
  skip(status !== 0, 'no disk can be mounted')
  onTestFinished(() => void spawnSync('umount', ['-l', folder]))
  const groundwork = await program(onTestFinished, { DATA_DIR: join(folder, 'data') })
  await groundwork.start()
  const client = new Client(groundwork.url, (await createToken(groundwork)).token)
  expect((await fetch(`${groundwork.url}/readyz`)).status).toBe(200)

  const filler = join(folder, 'filler')
  await fill(filler)
  const full = await readinessOf(groundwork.url, 503)
  const { error } = (await full.json()) as { error: { code: string; issues: { field: string; code: string; message: string }[] } }
  expect(error.code).toBe('unavailable')
  expect(error.issues).toContainEqual({
    field: 'data folder',
    code: 'not_writable',
    message: 'The data folder cannot be written (ENOSPC).',
  })
  expect(JSON.stringify(error)).not.toContain(folder)

  await rm(filler)
  await readinessOf(groundwork.url, 200)
  await client.call('POST', '/v1/contacts', { email: 'after@example.com' })
  expect(await groundwork.stop()).toBe(0)
}, 300_000)

/** Appends ever smaller blocks until the disk is full. */
async function fill(file: string): Promise<void> {
  for (let size = 2 ** 20; size >= 4096; size /= 2) while (await append(file, size)) continue
}

const append = (file: string, size: number): Promise<boolean> =>
  appendFile(file, Buffer.alloc(size)).then(
    () => true,
    () => false,
  )

/** Waits until /readyz answers with the status, since it caches results for some seconds. */
async function readinessOf(url: string, status: number): Promise<Response> {
  for (;;) {
    const reply = await fetch(`${url}/readyz`)
    if (reply.status === status) return reply
    await pause(200)
  }
}
