import { describe, expect, onTestFinished, test } from 'vitest'
import { npmStart, type NpmStart } from './npm.ts'
import { engineName, program, root } from './program.ts'

// Processes are listed from /proc.
describe.skipIf(process.platform !== 'linux')(`npm start on the ${engineName()}`, { timeout: 600_000 }, () => {
  const start = async (): Promise<NpmStart> => npmStart(onTestFinished, { folder: root, ...(await program(onTestFinished)) })

  test('SIGTERM to npm also ends the program', async () => {
    const { npm, ended, output, left } = await start()
    expect(await left()).toContain(npm.pid)
    npm.kill('SIGTERM')
    await ended
    expect(output()).toContain('"msg":"stopped"')
    await expect.poll(left, { timeout: 60_000 }).toEqual([])
  })

  test('Ctrl-C ends the program cleanly, although npm repeats the signal', async () => {
    const { npm, ended, output, left } = await start()
    process.kill(-(npm.pid ?? 0), 'SIGINT')
    await ended
    expect(output()).toContain('"msg":"stopped"')
    await expect.poll(left, { timeout: 60_000 }).toEqual([])
  })
})
