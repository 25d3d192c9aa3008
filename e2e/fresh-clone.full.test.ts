import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { npmStart } from './npm.ts'
import { freePort, root, shell } from './program.ts'
import { takeTour } from './tour.ts'

/** npm's registry settings in the environment. */
const registry = Object.fromEntries(
  Object.entries(process.env).flatMap(([name, value]) =>
    /^(npm_config_(registry|userconfig|cafile|cache)|https?_proxy|no_proxy|node_extra_ca_certs)$/i.test(name) && value !== undefined
      ? [[name, value]]
      : [],
  ),
)

/** Clones the checked-out commit, without other changes in the working tree. */
const isClone = process.platform === 'linux' && spawnSync('git', ['rev-parse', 'HEAD'], { cwd: root }).status === 0

describe.skipIf(!isClone)('a fresh clone (needs git and Linux)', () => {
  test('runs the tour after npm ci and npm start, and starts again without compilers', { timeout: 1_200_000 }, async () => {
    const parent = await mkdtemp(join(tmpdir(), 'groundwork-clone-'))
    onTestFinished(() => rm(parent, { recursive: true, force: true }))
    const folder = join(parent, 'groundwork')
    const [port, pagesPort] = [await freePort(), await freePort()]
    const url = `http://127.0.0.1:${port}`
    const env = { ...shell(), ...registry, PORT: String(port), FETCH_ALLOW_HOSTS: `127.0.0.1:${pagesPort}` }
    const run = (command: string, ...words: string[]): Promise<{ stdout: string }> =>
      promisify(execFile)(command, words, { cwd: folder, env, maxBuffer: 1e8 })
    await promisify(execFile)('git', ['clone', '--quiet', root, folder])
    console.log('npm ci')
    await run('npm', 'ci', '--loglevel=error')
    expect(Number.parseInt((await run('du', '-sm', 'node_modules')).stdout, 10)).toBeLessThan(600)
    console.log('npm start')
    const first = await npmStart(onTestFinished, { folder, url, env })
    expect(first.output()).toContain('Building the program')
    await takeTour({ folder, url, env, pagesPort })
    first.npm.kill('SIGTERM')
    await first.ended
    await expect.poll(first.left, { timeout: 60_000 }).toEqual([])

    console.log('npm ci --omit=dev')
    await run('npm', 'ci', '--omit=dev', '--loglevel=error')
    const second = await npmStart(onTestFinished, { folder, url, env })
    expect(second.output()).not.toContain('Building')
    second.npm.kill('SIGTERM')
    await second.ended
    expect((await run('git', 'status', '--porcelain')).stdout).toBe('')
  })
})
