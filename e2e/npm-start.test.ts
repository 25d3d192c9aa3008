import { describe, expect, onTestFinished, test } from 'vitest'
import { npmStart, type NpmStart } from './npm.ts'
import { engineName, program, root } from './program.ts'

// The processes are found in /proc.
describe.skipIf(process.platform !== 'linux')(`npm start on the ${engineName()}`, { timeout: 240_000 }, () => {
  const start = async (): Promise<NpmStart> => npmStart(onTestFinished, { folder: root, ...(await program(onTestFinished)) })

  test('SIGTERM to npm alone ends the program with it', async () => {
    const { npm, ended, output, left } = await start()
    expect(await left()).toContain(npm.pid)
    npm.kill('SIGTERM')
    await ended
    expect(output()).toContain('"msg":"stopped"')
    await expect.poll(left, { timeout: 60_000 }).toEqual([])
  })

  test('Ctrl-C ends the program as cleanly, though npm repeats it', async () => {
    const { npm, ended, output, left } = await start()
    process.kill(-(npm.pid ?? 0), 'SIGINT')
    await ended
    expect(output()).toContain('"msg":"stopped"')
    await expect.poll(left, { timeout: 60_000 }).toEqual([])
  })
})
